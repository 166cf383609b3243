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

    /// Listens on the sockets of the api-proxy that runs in the same runtime directory, which then stops.
    mutating func takeOver(_ sockets: [ListenerName: CInt], logger: Logger) {
        guard !sockets.isEmpty else { return logger.notice("there is no api-proxy to take over from") }
        if let descriptor = sockets[.public] { publicPlace = .passed(descriptor: descriptor, isKept: false) }
        if let descriptor = sockets[.admin] { adminPlace = .passed(descriptor: descriptor, isKept: false) }
        predecessorPatience = ServiceMain.stopLimit + .seconds(2)
        logger.notice("took over from the api-proxy that was running")
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
