import BookstrackContract
import Observability

/// What jobs are told apart by.
typealias JobLabels = LabelPair<Pipeline, JobStatus>

/// What items with an outcome are told apart by.
typealias ItemLabels = LabelPair<Pipeline, ItemFate>

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
