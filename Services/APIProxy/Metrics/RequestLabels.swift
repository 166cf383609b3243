import Observability

/// What requests are told apart by: method, route and status.
struct RequestLabels: MetricLabels {
    static let names = MethodLabel.names + RouteLabel.names + StatusLabel.names
    static let placeCount = MethodLabel.placeCount * RouteLabel.placeCount * StatusLabel.placeCount

    private let method: MethodLabel
    private let route: RouteLabel
    private let status: StatusLabel

    init(_ method: MethodLabel, _ route: RouteLabel, _ status: StatusLabel) {
        self.method = method
        self.route = route
        self.status = status
    }

    var place: Int { (method.place * RouteLabel.placeCount + route.place) * StatusLabel.placeCount + status.place }
    var values: [String] { method.values + route.values + status.values }
}
