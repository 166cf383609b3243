import Glibc
import Logging
import NIOCore
import ServiceKit
import SuiteMethods

extension ProxySettings {
    /// Listens on the sockets "public" and "admin" that were passed, instead of the addresses set. Throws when one of them is no listening
    /// TCP socket.
    mutating func take(_ sockets: PassedSockets, from settings: Settings, logger: Logger) throws(PassedSockets.Failure)
    {
        if let descriptor = try sockets.listeningSocket(named: "public") {
            publicPlace = .passed(descriptor: descriptor)
            report(descriptor, as: "BOOKSTRACK_HTTP")
            Self.warn(of: ["BOOKSTRACK_HTTP_HOST", "BOOKSTRACK_HTTP_PORT"], in: settings, logger)
        }
        if let descriptor = try sockets.listeningSocket(named: "admin") {
            adminPlace = .passed(descriptor: descriptor)
            report(descriptor, as: "BOOKSTRACK_ADMIN")
            Self.warn(of: ["BOOKSTRACK_ADMIN_HOST", "BOOKSTRACK_ADMIN_PORT"], in: settings, logger)
        }
        for name in sockets.names where name != "public" && name != "admin" {
            logger.warning("a passed socket is not used", metadata: ["socket": "\(name)"])
        }
    }

    /// Listens on the sockets of the api-proxy that runs in the same runtime directory, which then stops.
    mutating func takeOver(_ sockets: [ListenerName: CInt], logger: Logger) {
        guard !sockets.isEmpty else { return logger.notice("there is no api-proxy to take over from") }
        if let descriptor = sockets[.public] { publicPlace = .passed(descriptor: descriptor, isKept: false) }
        if let descriptor = sockets[.admin] { adminPlace = .passed(descriptor: descriptor, isKept: false) }
        predecessorPatience = ServiceMain.stopLimit + .seconds(2)
        logger.notice("took over from the api-proxy that was running")
    }

    /// Reports the address of a passed socket in place of the one that was set.
    private mutating func report(_ descriptor: CInt, as prefix: String) {
        guard let address = Self.address(of: descriptor), let host = address.ipAddress, let port = address.port else {
            return
        }
        for index in reported.indices {
            switch reported[index].name {
            case prefix + "_HOST": reported[index].value = host
            case prefix + "_PORT": reported[index].value = String(port)
            default: continue
            }
            (reported[index].source, reported[index].isDefault) = (ReadSettings.Setting.serviceManager, false)
        }
    }

    /// The address that a socket listens at (getsockname(2)).
    private static func address(of descriptor: CInt) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            let found = storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length) == 0
            }
            guard found else { return nil }
            switch CInt(storage.pointee.ss_family) {
            case AF_INET:
                return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
            case AF_INET6:
                return storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
            default: return nil
            }
        }
    }

    /// Who has set an address expects it to count.
    private static func warn(of names: [String], in settings: Settings, _ logger: Logger) {
        for setting in settings.effective where names.contains(setting.name) && setting.source != .fallback {
            logger.warning(
                "\(setting.name) does not count: the service manager has opened the port, ListenStream= of its socket unit decides"
            )
        }
    }
}
