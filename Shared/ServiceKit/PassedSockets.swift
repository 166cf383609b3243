import Glibc

/// Listening sockets that the service manager opened for this process, by name (sd_listen_fds(3)).
///
/// The manager keeps a duplicate of each socket, so connections wait in the socket's backlog while no process accepts them.
package struct PassedSockets: Sendable, Equatable {
    /// The number of the first passed descriptor (`SD_LISTEN_FDS_START`).
    static let firstDescriptor: CInt = 3
    /// Maximum number of passed sockets. A unit has only a few; a larger number is a mistake, and then no socket is used.
    private static let limit: CInt = 64

    private let descriptors: [String: [CInt]]

    /// The sockets described by the variables; none if they are meant for another process. Sockets without a name are called "unknown",
    /// as in sd_listen_fds_with_names(3).
    package init(environment: [String: String], processID: Int32, firstDescriptor: CInt = PassedSockets.firstDescriptor)
    {
        guard let text = environment["LISTEN_PID"], Int32(text) == processID,
            let count = environment["LISTEN_FDS"].flatMap(CInt.init), (1...Self.limit).contains(count)
        else {
            descriptors = [:]
            return
        }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        let named = (0..<count).map { index in
            let name = Int(index) < names.count && !names[Int(index)].isEmpty ? String(names[Int(index)]) : "unknown"
            return (name, firstDescriptor + index)
        }
        descriptors = Dictionary(grouping: named, by: \.0).mapValues { $0.map(\.1) }
    }

    /// The names, sorted.
    package var names: [String] { descriptors.keys.sorted() }

    /// The descriptor of a listening TCP socket, with close-on-exec set; nil if no socket of that name was passed.
    ///
    /// - Throws: `SettingsError` if the descriptor is not a listening TCP socket, or if several sockets have this name: clients of all but one
    ///   would wait forever, because the kernel accepts their connections.
    package func listeningSocket(named name: String) throws(SettingsError) -> CInt? {
        guard let descriptors = descriptors[name], let descriptor = descriptors.first else { return nil }
        guard descriptors.count == 1 else {
            throw .unusableSocket(
                name: name,
                reason: "the socket unit passes \(descriptors.count) sockets of this name, and only one can be served; "
                    + "use one ListenStream= (a port alone, such as 8787, listens on IPv4 and IPv6)")
        }
        guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1,
            Self.option(SO_PROTOCOL, of: descriptor) == CInt(IPPROTO_TCP)
        else { throw .unusableSocket(name: name, reason: "it is not a listening TCP socket") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func option(_ option: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 else { return nil }
        return value
    }
}
