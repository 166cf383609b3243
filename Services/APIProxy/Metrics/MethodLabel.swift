import HTTPTypes
import Observability

/// A request's method where its route declares it; `HEAD` counts as `GET`.
enum MethodLabel: String, MetricLabel {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
    /// One that the path does not take, or that no route takes.
    case other

    static let labelName = "method"

    init(_ method: HTTPRequest.Method) {
        self =
            switch method {
            case .get, .head: .get
            case .post: .post
            case .delete: .delete
            default: .other
            }
    }
}
