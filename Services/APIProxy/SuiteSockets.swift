import SuiteMethods

/// Where the suite's Unix sockets are.
struct SuiteSockets: Sendable {
    /// The runtime directory.
    var directory: String

    /// Where api-proxy hands over its listening sockets.
    var handover: String { "\(directory)/api-proxy.handover" }

    func path(of instance: ServiceInstance) -> String { "\(directory)/\(instance.socketName)" }
}
