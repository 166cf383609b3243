import Observability

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
