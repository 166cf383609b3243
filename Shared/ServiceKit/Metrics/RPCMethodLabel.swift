import Observability

/// A method that the process answers, by its place among all of them.
struct RPCMethodLabel: MetricLabels {
    /// Methods that peers call and that do not exist.
    static let unknown = RPCMethodLabel(place: 0, name: "unknown")
    static let names = ["method"]
    static let placeCount = 64

    let place: Int
    let name: String

    var values: [String] { [name] }

    static func table(of names: [String]) -> [String: RPCMethodLabel] {
        precondition(names.count < placeCount, "there are more methods than places for them")
        return Dictionary(
            uniqueKeysWithValues: names.enumerated().map { ($1, RPCMethodLabel(place: $0 + 1, name: $1)) })
    }
}
