import Observability
import SuiteMethods

extension WorkClass: MetricLabel {
    static var labelName: String { "class" }
}
