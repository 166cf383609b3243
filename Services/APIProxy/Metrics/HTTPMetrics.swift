import HTTPTypes
import Observability

/// What is counted of requests. One histogram per method, route and status counts and times them at once.
struct HTTPMetrics: Sendable {
    /// The labels of all routes' paths.
    let routes: [String: RouteLabel]
    private let durations: Labelled<RequestLabels, Histogram>
    private let limited: Labelled<RequestClass, Counter>
    /// Connections of the public listener, sockets included.
    let connections: Gauge
    /// Of both listeners.
    let connectionsRefused: Labelled<ConnectionRefusal, Counter>

    /// - Parameter paths: Of all routes, as declared.
    init(_ registry: MetricRegistry, paths: [String]) {
        routes = RouteLabel.table(of: paths)
        durations = registry.histograms(
            "bookstrack_http_request_duration_seconds",
            help: "Time from a request's head to its answer's head, by method, route and status.",
            by: RequestLabels.self,
            .answers)
        let answered = durations
        registry.families("bookstrack_http_requests_total") {
            [
                MetricFamily(
                    .counter, "bookstrack_http_requests_total", help: "Requests that were answered.",
                    answered.occurred.map { (labels: $0.labels, value: Double($0.instrument.count)) })
            ]
        }
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
    /// - Parameter route: Nil for a path that no route has.
    func answered(
        _ method: HTTPRequest.Method, _ route: RouteLabel?, _ status: HTTPResponse.Status, after time: Duration
    ) {
        durations[RequestLabels(MethodLabel(method), route ?? .unknown, StatusLabel(status))].observe(time)
    }

    /// Something was refused that never became a request.
    func refusedUnparsed(_ status: HTTPResponse.Status) {
        durations[RequestLabels(.other, .unparsed, StatusLabel(status))].observe(.zero)
    }

    /// A rate limit refused a request.
    func rateLimited(_ requestClass: RequestClass) { limited[requestClass].add() }
}

extension RequestClass: MetricLabel {
    static var labelName: String { "class" }
}
