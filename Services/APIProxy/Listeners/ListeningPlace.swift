/// Where a listener takes its connections from.
enum ListeningPlace: Sendable, Equatable {
    /// An address to bind; port 0 takes any free one.
    case address(host: String, port: Int)
    /// A socket that listens already: opened by the service manager, which keeps a copy (sd_listen_fds(3)), or taken over from the process
    /// before this one, which has none.
    case passed(descriptor: CInt, isKept: Bool = true)

    /// Whether connections that wait in the socket are taken by the process that comes after this one.
    var outlivesProcess: Bool { if case .passed(_, isKept: true) = self { true } else { false } }
}
