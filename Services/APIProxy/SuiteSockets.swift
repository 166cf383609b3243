import SuiteMethods

/// Where the suite's Unix sockets are.
struct SuiteSockets: Sendable {
    /// The runtime directory.
    var directory: String

    func path(of service: ServiceName) -> String { "\(directory)/\(service.socketName)" }
}
