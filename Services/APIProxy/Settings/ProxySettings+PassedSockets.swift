import Logging
import ServiceKit

extension ProxySettings {
    /// Listens on the sockets "public" and "admin" that were passed, instead of the addresses set. Throws when one of them is no listening
    /// TCP socket.
    mutating func take(_ sockets: PassedSockets, from settings: Settings, logger: Logger) throws(PassedSockets.Failure)
    {
        if let descriptor = try sockets.listeningSocket(named: "public") {
            publicPlace = .passed(descriptor: descriptor)
            Self.warn(of: ["BOOKSTRACK_HTTP_HOST", "BOOKSTRACK_HTTP_PORT"], in: settings, logger)
        }
        if let descriptor = try sockets.listeningSocket(named: "admin") {
            adminPlace = .passed(descriptor: descriptor)
            Self.warn(of: ["BOOKSTRACK_ADMIN_HOST", "BOOKSTRACK_ADMIN_PORT"], in: settings, logger)
        }
        for name in sockets.names where name != "public" && name != "admin" {
            logger.warning("a passed socket is not used", metadata: ["socket": "\(name)"])
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
