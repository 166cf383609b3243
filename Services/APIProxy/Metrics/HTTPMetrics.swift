import HTTPTypes
import Observability

/// What is counted of requests: a counter per method, route and status, and a histogram per method, route and class of status.
///
/// Clients choose neither paths nor methods that become labels: what no route declares shares one method and one route, and is timed
/// together. With `D` declared pairs of method and route there are at most `(D + 2) * StatusLabel.placeCount` counters and
/// `(D + 2) * StatusClass.placeCount` histograms, whatever is sent.
struct HTTPMetrics: Sendable {
    /// The labels of all routes' paths.
    let routes: [String: RouteLabel]
    private let requests: Labelled<RequestLabels<StatusLabel>, Counter>
    private let durations: Labelled<RequestLabels<StatusClass>, Histogram>
    private let limited: Labelled<RequestClass, Counter>
    /// Connections of the public listener, sockets included.
    let connections: Gauge
    /// Of both listeners.
    let connectionsRefused: Labelled<ConnectionRefusal, Counter>

    /// - Parameter paths: Of all routes, as declared.
    init(_ registry: MetricRegistry, paths: [String]) {
        routes = RouteLabel.table(of: paths)
        requests = registry.counters(
            "bookstrack_http_requests_total", help: "Requests that were answered, by method, route and status.",
            by: RequestLabels<StatusLabel>.self)
        durations = registry.histograms(
            "bookstrack_http_request_duration_seconds",
            help: "Time from a request's head to its answer's head, by method, route and class of status.",
            by: RequestLabels<StatusClass>.self, .answers)
        limited = registry.counters(
            "bookstrack_http_rate_limited_total", help: "Requests that a rate limit refused, by class.",
            by: RequestClass.self)
        limited.showAll()
        connectionsRefused = registry.counters(
            "bookstrack_http_connections_refused_total",
            help: "Connections that were not taken, by reason; with descriptors, times that accepting paused.",
            by: ConnectionRefusal.self)
        connectionsRefused.showAll()
        connections = registry.gauge(
            "bookstrack_http_connections_open", help: "Connections of the public listener, sockets included.")
    }

    /// A request was answered.
    ///
    /// - Parameter entry: What there is at its path; nil for a path that no route has.
    func answered(
        _ method: HTTPRequest.Method, _ entry: RouteTable.Entry?, _ status: HTTPResponse.Status, after time: Duration
    ) {
        guard let entry, entry.methods.contains(method) else { return count(.other, .unknown, status, time) }
        count(MethodLabel(method), entry.label, status, time)
    }

    /// Something was refused that never became a request.
    func refusedUnparsed(_ status: HTTPResponse.Status) { count(.other, .unparsed, status, .zero) }

    private func count(
        _ method: MethodLabel, _ route: RouteLabel, _ status: HTTPResponse.Status, _ time: Duration
    ) {
        requests[RequestLabels(method, route, StatusLabel(status))].add()
        durations[RequestLabels(method, route, StatusClass(status))].observe(time)
    }

    /// A rate limit refused a request.
    func rateLimited(_ requestClass: RequestClass) { limited[requestClass].add() }
}

extension RequestClass: MetricLabel {
    static var labelName: String { "class" }
}
