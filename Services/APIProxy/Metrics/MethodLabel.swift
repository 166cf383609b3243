import HTTPTypes
import Observability

/// A request's method, as far as the API knows it.
enum MethodLabel: String, MetricLabel {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case delete = "DELETE"
    case options = "OPTIONS"
    case other

    static let labelName = "method"

    init(_ method: HTTPRequest.Method) {
        self =
            switch method {
            case .get: .get
            case .head: .head
            case .post: .post
            case .delete: .delete
            case .options: .options
            default: .other
            }
    }
}
