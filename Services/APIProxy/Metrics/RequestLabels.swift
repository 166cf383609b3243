import Observability

/// What requests are told apart by: method, route, and status or its class.
struct RequestLabels<Status: MetricLabels>: MetricLabels {
    static var names: [String] { MethodLabel.names + RouteLabel.names + Status.names }
    static var placeCount: Int { MethodLabel.placeCount * RouteLabel.placeCount * Status.placeCount }

    private let method: MethodLabel
    private let route: RouteLabel
    private let status: Status

    init(_ method: MethodLabel, _ route: RouteLabel, _ status: Status) {
        self.method = method
        self.route = route
        self.status = status
    }

    var place: Int { (method.place * RouteLabel.placeCount + route.place) * Status.placeCount + status.place }
    var values: [String] { method.values + route.values + status.values }
}
