import BookstrackContract
import JSONRPC

/// Providers did not answer a search; an error when none did (http-api.md "Searches").
struct SearchFailure: Error, Sendable {
    let failures: [QuestionFailure]
    let reports: [ProviderReport]

    init(_ failures: [QuestionFailure], reports: [ProviderReport]) {
        self.failures = failures
        self.reports = reports
    }

    /// Timeout when all that failed timed out, quota when all are exhausted, else a provider error.
    var code: APIErrorCode {
        let outcomes = Set(failures.map(\.outcome))
        if outcomes == [.timeout] { return .providerTimeout }
        return outcomes == [.quotaExhausted] ? .quotaExhausted : .providerError
    }

    var error: RPCApplicationError {
        let reasons = failures.map(\.phrase).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let wait = failures.compactMap(\.retryAfter).min()
        return RPCApplicationError(
            code: code.rawValue, message: "No provider answered: \(reasons.joined(separator: "; ")).",
            retryAfterSeconds: wait.map { max(1, Int($0 / .seconds(1))) })
    }
}
