import Glibc

/// Listening sockets that the service manager opened for this process, by name (sd_listen_fds(3)).
///
/// The manager keeps a duplicate of each socket, so connections wait in the socket's backlog while no process accepts them.
package struct PassedSockets: Sendable, Equatable {
    /// The number of the first passed descriptor (`SD_LISTEN_FDS_START`).
    static let firstDescriptor: CInt = 3
    /// Maximum number of passed sockets. A unit has only a few; a larger number is a mistake, and then no socket is used.
    private static let limit: CInt = 64

    private let descriptors: [String: CInt]

    /// The sockets described by the variables; none if they are meant for another process. Sockets without a name are called "unknown",
    /// as in sd_listen_fds_with_names(3); if two have the same name, the first is used.
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
        descriptors = Dictionary(named) { first, _ in first }
    }

    /// The names, sorted.
    package var names: [String] { descriptors.keys.sorted() }

    /// The descriptor of a listening TCP socket, with close-on-exec set; nil if no socket of that name was passed.
    ///
    /// - Throws: `Failure` if the descriptor is something else.
    package func listeningSocket(named name: String) throws(Failure) -> CInt? {
        guard let descriptor = descriptors[name] else { return nil }
        guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1,
            Self.option(SO_PROTOCOL, of: descriptor) == CInt(IPPROTO_TCP)
        else { throw Failure(name: name) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// A passed descriptor is not a listening TCP socket.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// The name of the passed socket.
        package let name: String

        package var description: String { "the passed socket \"\(name)\" is not a listening TCP socket" }
    }

    private static func option(_ option: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 else { return nil }
        return value
    }
}
