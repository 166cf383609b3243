import BookMetadata
import BookstrackContract
import ProviderClient

/// Why a question has no answer. None of these means "not found" (jobs.md "Work").
enum QuestionFailure: Error, Hashable, Sendable {
    /// The call failed.
    case call(ProviderName, ProviderFailure)
    /// The call's response did not have the provider's format.
    case unreadable(ProviderName)
    /// The call's response reports that the provider's quota is used up.
    case exhausted(ProviderName)
    /// The call contained more values than one request may have.
    case tooManyValues(ProviderName)
    /// The call's response is an error document, or no request could be made.
    case refused(ProviderName)
    /// The answer did not arrive before the caller's deadline.
    case tooLate(ProviderName)
    /// The answer is no longer needed.
    case withdrawn

    init(_ provider: ProviderName, _ error: ProviderBodyError) {
        self =
            switch error {
            case .malformed: .unreadable(provider)
            case .exhausted: .exhausted(provider)
            case .tooManyValues: .tooManyValues(provider)
            case .refused: .refused(provider)
            }
    }

    /// The error code for an item or a search that fails for this reason.
    var errorCode: ItemErrorCode {
        switch self {
        case .call(_, let failure) where failure.isQuota: .quotaExhausted
        case .call(_, .timeout), .call(_, .busy), .tooLate: .providerTimeout
        case .exhausted: .quotaExhausted
        case .call, .unreadable, .tooManyValues, .refused: .providerError
        case .withdrawn: .cancelled
        }
    }

    /// The provider's outcome, for `metadata.providers`.
    var outcome: ProviderReport.Outcome {
        switch errorCode {
        case .quotaExhausted: .quotaExhausted
        case .providerTimeout: .timeout
        default: .error
        }
    }

    /// How long to wait before trying again, if known.
    var retryAfter: Duration? {
        if case .call(_, let failure) = self { failure.retryAfter } else { nil }
    }

    /// The failure, as part of a sentence for users.
    var phrase: String {
        switch self {
        case .call(let provider, let failure): "\(provider.rawValue) \(Self.phrase(failure))"
        case .unreadable(let provider): "\(provider.rawValue) sent an unreadable response"
        case .exhausted(let provider): "\(provider.rawValue) has no requests left"
        case .tooManyValues(let provider), .refused(let provider): "\(provider.rawValue) refused the request"
        case .tooLate(let provider): "\(provider.rawValue) did not respond in time"
        case .withdrawn: "the item was withdrawn"
        }
    }

    private static func phrase(_ failure: ProviderFailure) -> String {
        switch failure {
        case _ where failure.isQuota: "has no requests left"
        case .timeout: "did not respond in time"
        case .busy: "could not be queried in time"
        case .connection: "could not be reached"
        case _ where failure.isLastingRefusal: "rejects our requests"
        case .breakerOpen: "is paused after repeated failures"
        case .httpStatus(let status): "responded with status \(status)"
        case .tooLarge: "sent too much data"
        case .malformed, .redirectRefused: "sent an unusable response"
        default: "failed"
        }
    }
}
