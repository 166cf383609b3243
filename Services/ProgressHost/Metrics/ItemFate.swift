import Observability

/// The outcome of an item, as counted.
enum ItemFate: String, MetricLabel {
    case succeeded, failed
    /// Never tried, because its job was cancelled.
    case skipped

    static let labelName = "outcome"
}
