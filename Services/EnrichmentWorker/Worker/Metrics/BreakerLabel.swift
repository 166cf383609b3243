import Observability
import ProviderHTTP

/// What a circuit breaker is doing.
enum BreakerLabel: String, MetricLabel {
    case closed, open
    case halfOpen = "half_open"

    static let labelName = "state"

    init(_ status: BreakerStatus) {
        self =
            switch status {
            case .closed: .closed
            case .open: .open
            case .halfOpen: .halfOpen
            }
    }
}
