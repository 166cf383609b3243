import BookMetadata
import BookstrackContract
import ProviderHTTP

/// Why a question has no answer. None of these means "not found" (spec/07 "HTTP").
enum QuestionFailure: Error, Hashable, Sendable {
    /// The call failed.
    case call(ProviderName, ProviderFailure)
    /// The call's answer could not be read.
    case body(ProviderBodyError)
    /// The answer did not come while the item could wait for it.
    case tooLate(ProviderName)
    /// Nobody wants the answer any more.
    case withdrawn

    /// The code of an item that fails for this reason.
    var errorCode: ItemErrorCode {
        switch self {
        case .call(_, let failure) where failure.isQuota: .quotaExhausted
        case .call(_, .timeout), .call(_, .busy), .tooLate: .providerTimeout
        case .call: .providerError
        case .body(.quotaExhausted): .quotaExhausted
        case .body: .providerError
        case .withdrawn: .cancelled
        }
    }

    /// What happened, as part of a sentence for people.
    var phrase: String {
        switch self {
        case .call(let provider, let failure): "\(provider.rawValue) \(Self.phrase(failure))"
        case .body(.malformed(let provider)): "\(provider.rawValue) sent something unreadable"
        case .body(.quotaExhausted(let provider)): "\(provider.rawValue) has no requests left"
        case .body(.refused(let provider, _)): "\(provider.rawValue) refused the request"
        case .tooLate(let provider): "\(provider.rawValue) did not answer in time"
        case .withdrawn: "the item was withdrawn"
        }
    }

    private static func phrase(_ failure: ProviderFailure) -> String {
        switch failure {
        case _ where failure.isQuota: "has no requests left"
        case .timeout, .busy: "did not answer in time"
        case .connection: "could not be reached"
        case .breakerOpen: "is not asked after repeated failures"
        case .httpStatus(let status): "answered with status \(status)"
        case .tooLarge: "sent too much"
        case .malformed, .redirectRefused: "sent something unreadable"
        default: "failed"
        }
    }
}
