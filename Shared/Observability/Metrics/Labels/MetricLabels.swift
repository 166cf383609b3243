/// What tells the readings of a family apart: one of a bounded number of label sets, each with a number of its own. Never anything
/// that a client chose.
package protocol MetricLabels: Sendable {
    static var names: [String] { get }
    /// How many different ones there may be.
    static var placeCount: Int { get }

    /// Its number, from 0 to less than `placeCount`.
    var place: Int { get }
    /// As many as there are names.
    var values: [String] { get }
}

extension MetricLabels {
    package var pairs: [Sample.Label] { zip(Self.names, values).map { Sample.Label($0, $1) } }
}
