import Observability
import ProviderHTTP
import SuiteMethods

/// What a look-up came to.
enum LookupFate: String, MetricLabel {
    case found
    /// Every provider that counts answered "none".
    case missing
    /// There is nothing to look up by.
    case invalid
    /// Providers did not answer.
    case unanswered
    /// Given back, because our own queue is long.
    case released
    /// The host wants it no longer.
    case withdrawn

    static let labelName = "outcome"
}

/// What the cache had for a question.
enum CacheFinding: String, MetricLabel {
    case hit
    /// An answer that has expired.
    case stale
    case miss

    static let labelName = "result"

    init(_ answer: CachedAnswer?) {
        guard let answer else {
            self = .miss
            return
        }
        self = answer.isFresh ? .hit : .stale
    }
}

/// What became of a cover that was asked for.
enum CoverFate: String, MetricLabel {
    /// Brought, or kept already.
    case served
    case missing
    case refused
    /// As many as are allowed were being fetched.
    case busy
    case failed

    static let labelName = "outcome"

    init(_ failure: CoverFailure) {
        switch failure {
        case .refused: self = .refused
        case .missing: self = .missing
        case .busy: self = .busy
        case .noPicture, .call, .notKept: self = .failed
        }
    }
}

extension WorkClass: MetricLabel {
    static var labelName: String { "class" }
}
