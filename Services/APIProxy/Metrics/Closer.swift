import Observability

/// Who ended a socket.
enum Closer: String, MetricLabel {
    case server, client
    /// The connection was lost.
    case nobody

    static let labelName = "by"
}
