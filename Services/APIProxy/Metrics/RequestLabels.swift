import HTTPTypes
import Observability

/// What requests are told apart by: method, route and status.
typealias RequestLabels = LabelPair<MethodLabel, LabelPair<RouteLabel, StatusLabel>>

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

/// A route's path as it is declared, or what stands for requests that no route takes.
struct RouteLabel: MetricLabels {
    /// A path that no route has.
    static let unknown = RouteLabel(place: 0, path: "unknown")
    /// What is refused before there is a path, such as a request that cannot be parsed.
    static let unparsed = RouteLabel(place: 1, path: "unparsed")
    static let names = ["route"]
    static let placeCount = 96

    let place: Int
    let path: String

    var values: [String] { [path] }

    /// Labels for the paths of all routes.
    static func table(of paths: [String]) -> [String: RouteLabel] {
        let distinct = Set(paths).sorted()
        precondition(distinct.count + 2 <= placeCount, "there are more routes than places for them")
        return Dictionary(
            uniqueKeysWithValues: distinct.enumerated().map { ($1, RouteLabel(place: $0 + 2, path: $1)) })
    }
}

/// An answer's status, 100 to 599.
struct StatusLabel: MetricLabels {
    static let names = ["status"]
    static let placeCount = 500

    let place: Int

    init(_ status: HTTPResponse.Status) { place = min(max(status.code - 100, 0), Self.placeCount - 1) }

    var values: [String] { ["\(place + 100)"] }
}
