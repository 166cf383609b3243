import HTTPTypes
import Observability

/// Metrics of requests and connections. Requests have a counter per method, route and status, and a histogram per method, route and status class.
///
/// Clients cannot create labels, whatever they send: all requests that match no route share one pair of method and route labels, and all requests
/// that are refused before routing share another. With `D` declared pairs of method and route, there are at most
/// `(D + 2) * (StatusLabel.codes.count + 1)` counters and `(D + 2) * StatusClass.allCases.count` histograms.
struct HTTPMetrics: Sendable {
    /// The labels of all routes, by path.
    let routes: [String: RouteLabel]
    private let requests: Labeled<RequestLabels<StatusLabel>, Counter>
    private let durations: Labeled<RequestLabels<StatusClass>, Histogram>
    private let limited: Labeled<RequestClass, Counter>
    /// Open connections on the public listener, including sockets.
    let connections: Gauge
    /// Refused connections on both listeners.
    let connectionsRefused: Labeled<ConnectionRefusal, Counter>

    /// - Parameter paths: The paths of all routes, as declared.
    init(_ registry: MetricRegistry, paths: [String]) {
        routes = RouteLabel.table(of: paths)
        requests = registry.counters(
            "bookstrack_http_requests_total", help: "Answered requests, by method, route and status.",
            by: RequestLabels<StatusLabel>.self)
        durations = registry.histograms(
            "bookstrack_http_request_duration_seconds",
            help:
                "Time from a request's head to its response's head, excluding waits that the client asked for, by method, route and status class.",
            by: RequestLabels<StatusClass>.self, .answers)
        limited = registry.counters(
            "bookstrack_http_rate_limited_total", help: "Requests refused by a rate limit, by class.",
            by: RequestClass.self)
        limited.showAll()
        connectionsRefused = registry.counters(
            "bookstrack_http_connections_refused_total",
            help: "Refused connections, by reason; `descriptors` counts pauses in accepting connections.",
            by: ConnectionRefusal.self)
        connectionsRefused.showAll()
        connections = registry.gauge(
            "bookstrack_http_connections_open", help: "Open connections on the public listener, including sockets.")
    }

    /// Counts an answered request, and records the time from its head to the head of the response.
    ///
    /// - Parameter entry: The route table's entry for the path; nil if no route has it.
    func answered(
        _ method: HTTPRequest.Method, _ entry: RouteTable.Entry?, _ status: HTTPResponse.Status, after time: Duration
    ) {
        guard let entry, entry.methods.contains(method) else { return count(.other, .unknown, status, time) }
        count(MethodLabel(method), entry.label, status, time)
    }

    /// Counts the refusal of a request that was not routed, for example because it could not be parsed.
    func refusedUnparsed(_ status: HTTPResponse.Status) { count(.other, .unparsed, status, .zero) }

    private func count(
        _ method: MethodLabel, _ route: RouteLabel, _ status: HTTPResponse.Status, _ time: Duration
    ) {
        requests[RequestLabels(method, route, StatusLabel(status))].add()
        durations[RequestLabels(method, route, StatusClass(status))].observe(time)
    }

    /// Counts a request refused by a rate limit.
    func rateLimited(_ requestClass: RequestClass) { limited[requestClass].add() }
}

extension RequestClass: MetricLabel {
    static var labelName: String { "class" }
}

/// Labels of a request: method, route, and status or its class.
struct RequestLabels<Status: MetricLabels>: MetricLabels {
    static var names: [String] { MethodLabel.names + RouteLabel.names + Status.names }

    private let method: MethodLabel
    private let route: RouteLabel
    private let status: Status

    init(_ method: MethodLabel, _ route: RouteLabel, _ status: Status) {
        self.method = method
        self.route = route
        self.status = status
    }

    var values: [String] { method.values + route.values + status.values }
    var positions: [Int] { method.positions + route.positions + status.positions }
}

/// A request's method if its route declares it; `HEAD` counts as `GET`.
enum MethodLabel: String, MetricLabel {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
    /// The method of a request that matches no route or was refused before it was routed.
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

/// The path of a route as it is declared, or a substitute for requests that match no route. Labels are compared by number, which is faster.
struct RouteLabel: MetricLabels {
    /// A request that matches no route.
    static let unknown = RouteLabel(number: 0, path: "unknown")
    /// A request that was refused before it was routed, for example because it could not be parsed.
    static let unparsed = RouteLabel(number: 1, path: "unparsed")
    static let names = ["route"]

    let number: Int
    let path: String

    var values: [String] { [path] }
    var positions: [Int] { [number] }

    /// Labels for the paths of all routes.
    static func table(of paths: [String]) -> [String: RouteLabel] {
        let distinct = Set(paths).sorted()
        return Dictionary(
            uniqueKeysWithValues: distinct.enumerated().map { ($1, RouteLabel(number: $0 + 2, path: $1)) })
    }

    static func == (left: RouteLabel, right: RouteLabel) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A response's status (RFC 9110 §15, RFC 6585); one without a label of its own counts as `other`.
struct StatusLabel: MetricLabels {
    /// The statuses that have labels of their own, sorted.
    static let codes = [
        101, 200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411,
        412, 413, 414, 415, 416, 417, 421, 422, 426, 429, 431, 500, 501, 502, 503, 504, 505,
    ]
    static let names = ["status"]

    /// Index in ``codes`` of each status from 100 to 599, looked up for every request.
    private static let indices = (100...599).map { codes.firstIndex(of: $0) ?? codes.count }

    /// Index in ``codes``; `codes.count` for other statuses.
    private let index: Int

    init(_ status: HTTPResponse.Status) {
        index = (100...599).contains(status.code) ? Self.indices[status.code - 100] : Self.codes.count
    }

    var values: [String] { [index < Self.codes.count ? "\(Self.codes[index])" : "other"] }
    var positions: [Int] { [index] }
}

/// The status class of a response, for the duration histogram.
enum StatusClass: String, MetricLabel {
    /// Statuses from 100 to 399.
    case success
    /// Statuses from 400 to 499.
    case refused
    /// Statuses of 500 and above.
    case failed

    static let labelName = "class"

    init(_ status: HTTPResponse.Status) {
        switch status.code {
        case ..<400: self = .success
        case ..<500: self = .refused
        default: self = .failed
        }
    }
}
