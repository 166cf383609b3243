import BookstrackContract
import Observability

/// What jobs are told apart by.
typealias JobLabels = LabelPair<Pipeline, JobStatus>

/// What items with an outcome are told apart by.
typealias ItemLabels = LabelPair<Pipeline, ItemFate>

/// The outcome of an item, as counted.
enum ItemFate: String, MetricLabel {
    case succeeded, failed
    /// Never tried, because its job was cancelled.
    case skipped

    static let labelName = "outcome"
}

/// Whether a commit waited for the disk.
enum SyncMode: String, MetricLabel {
    case full, normal

    static let labelName = "synchronous"

    init(isSynced: Bool) { self = isSynced ? .full : .normal }
}

extension Pipeline: MetricLabel {
    static var labelName: String { "pipeline" }
}

extension JobStatus: MetricLabel {
    static var labelName: String { "status" }
}

extension ItemErrorCode: MetricLabel {
    static var labelName: String { "code" }
}

extension EventKind: MetricLabel {
    static var labelName: String { "kind" }
}
