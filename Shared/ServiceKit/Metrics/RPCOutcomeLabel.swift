import JSONRPC
import Observability

/// What became of a request.
enum RPCOutcomeLabel: String, MetricLabel {
    case succeeded, refused, failed, abandoned

    static let labelName = "outcome"

    init(_ outcome: AnsweredRequest.Outcome) {
        self =
            switch outcome {
            case .succeeded: .succeeded
            case .refused: .refused
            case .failed: .failed
            case .abandoned: .abandoned
            }
    }
}
