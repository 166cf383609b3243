import Observability

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
