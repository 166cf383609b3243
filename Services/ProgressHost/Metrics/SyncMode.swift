import Observability

/// Whether a commit waited for the disk.
enum SyncMode: String, MetricLabel {
    case full, normal

    static let labelName = "synchronous"

    init(isSynced: Bool) { self = isSynced ? .full : .normal }
}
