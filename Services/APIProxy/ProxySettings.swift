import Foundation
import Glibc
import Logging
import NIOCore
import ServiceKit
import SuiteMethods

/// api-proxy's settings, converted to its own types.
struct ProxySettings: Sendable {
    var publicPlace: ListeningPlace
    var adminPlace: ListeningPlace
    var batchLimits = BatchLimits()
    /// Maximum size of a library file, in bytes.
    var maxImportBytes = SettingKey.maxImportBytes.fallback
    var uploadLimits = UploadLimiter.Limits(bytes: SettingKey.maxUploadBytesTotal.fallback)
    var socketLimits = SocketLimits()
    var connectionLimits = ConnectionLimits(total: 19_000, perAddress: 1_000)
    var timeouts = PeerTimeouts()
    var origins = OriginList()
    /// URLs at which clients reach the API: the public ones if they are configured, otherwise one with the configured host and port, or 127.0.0.1 if
    /// that host is a wildcard address.
    var clientAddresses = ["http://127.0.0.1:8787"]
    /// Host names of the public listener: its own and those of `BOOKSTRACK_PUBLIC_URL`.
    var publicHosts: [HostName] = []
    /// Host names of the admin listener.
    var adminHosts: [HostName] = []
    /// Maximum time for the previous api-proxy to stop after its ports were taken over.
    var predecessorTimeout = Duration.zero
    var trustedProxies = TrustedProxies()
    /// The rate limits; nil if clients are not limited.
    var rateLimits: RateLimits? = RateLimits()
    /// The operators' console.
    var console = ConsoleAccess.off
    /// When the deprecated routes will be removed.
    var sunset = SettingKey.sunset.fallback
    var allowedUIDs: Set<UInt32> = []
    /// The effective settings, for the command line and the console.
    var reported: [ReadSettings.Setting] = []
    /// Maximum number of sockets that one call asks progress-host to resume.
    var resumePage = 2_000
    /// How long a request for one book waits for its job.
    var bookLimit = SearchBooks.deadline
    /// How long a scrape waits for each of the other processes.
    var scrapeLimit = SuiteScrape.peerLimit

    init(publicPlace: ListeningPlace, adminPlace: ListeningPlace) {
        self.publicPlace = publicPlace
        self.adminPlace = adminPlace
    }

    init(_ settings: Settings) {
        publicPlace = .address(host: settings[.httpHost], port: settings[.httpPort])
        adminPlace = .address(host: settings[.adminHost], port: settings[.adminPort])
        batchLimits.books = settings[.maxBatchBooks]
        batchLimits.webhooks = WebhookHosts(settings[.webhookHosts])
        maxImportBytes = settings[.maxImportBytes]
        uploadLimits.bytes = settings[.maxUploadBytesTotal]
        socketLimits = SocketLimits(
            total: settings[.maxSockets], perJob: settings[.maxSocketsPerJob],
            perAddress: settings[.maxSocketsPerAddress])
        connectionLimits = ConnectionLimits(
            total: settings.maxConnections, perAddress: settings.maxConnectionsPerAddress)
        origins = OriginList(settings[.corsOrigins])
        clientAddresses = settings[.publicURLs]
        if clientAddresses.isEmpty {
            clientAddresses = [Self.url(host: settings[.httpHost], port: settings[.httpPort])]
        }
        let publicURLs = settings[.publicURLs].compactMap { URLComponents(string: $0)?.host }
        publicHosts = ([settings[.httpHost]] + publicURLs).compactMap { HostName($0) }
        adminHosts = ([settings[.adminHost]] + settings[.adminHosts]).compactMap { HostName($0) }
        rateLimits = settings[.rateLimit] ? RateLimits(settings) : nil
        sunset = settings[.sunset]
        allowedUIDs = Set(settings[.allowedUserIDs])
        trustedProxies.blocks = settings[.trustedProxies]
        reported = settings.reported
    }

    /// URL of the public listener; if it listens on all addresses, one that works on this machine.
    private static func url(host: String, port: Int) -> String {
        let host = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// File descriptors reserved for other uses, such as the process's other sockets, files, and the log.
    private static let ownDescriptors = 256

    /// Lowers the connection limits to fit the process's limit on file descriptors, so that connections leave descriptors for other uses.
    mutating func fitConnections(to descriptors: Int, _ logger: Logger) {
        let room = max(descriptors - Self.ownDescriptors, descriptors / 2)
        guard room < connectionLimits.total else { return }
        logger.warning(
            "the open-file limit allows fewer connections than BOOKSTRACK_MAX_CONNECTIONS",
            metadata: ["open_files": "\(descriptors)", "connections": "\(room)"])
        connectionLimits = ConnectionLimits(total: room, perAddress: connectionLimits.perAddress)
    }

    /// The origin rule of the public listener.
    var originRule: OriginRule {
        OriginRule(listed: origins, hosts: HostList(publicHosts), trustedProxies: trustedProxies)
    }

    /// The origin rule of the console: only its own pages are allowed, on either listener.
    var consoleRule: OriginRule {
        OriginRule(listed: OriginList([]), hosts: HostList(publicHosts + adminHosts), trustedProxies: trustedProxies)
    }

    /// The origin rule of the admin listener.
    var adminOriginRule: OriginRule {
        OriginRule(listed: origins, hosts: HostList(publicHosts + adminHosts), trustedProxies: trustedProxies)
    }

    /// Sets up the console. Call this once the admin listener's place is known, and again if it changes. Throws `SettingsError` if a required
    /// token is missing, or if the token is too short.
    mutating func openConsole(_ settings: Settings) throws(SettingsError) {
        let host: String? =
            switch adminPlace {
            case .address(let host, _): host
            case .passed(let descriptor, _): Self.address(of: descriptor)?.ipAddress
            }
        console = try ConsoleAccess(
            mode: settings[.console], token: settings[.consoleToken],
            isAdminLocal: host.flatMap { HostName($0) }?.isLoopback ?? false)
    }

    /// The host names that requests to the admin listener may use.
    var adminNames: HostList { HostList(adminHosts) }
}

extension RateLimits {
    fileprivate init(_ settings: Settings) {
        hourly.requests = settings[.rateLimitPerHour]
        ordinary.requests = settings[.rateLimitPerMinute]
        searches.requests = settings[.rateLimitSearchesPerMinute]
        starts.requests = settings[.rateLimitStartsPerMinute]
        imports.requests = settings[.rateLimitImportsPerMinute]
        scans.requests = settings[.rateLimitScansPerMinute]
        reports.requests = settings[.rateLimitReportsPerMinute]
        jobReads.requests = settings[.rateLimitJobReadsPerMinute]
    }
}

extension ProxySettings {
    /// Replaces the configured addresses with the passed sockets "public" and "admin". Throws `SettingsError` if one of them cannot be used.
    mutating func take(_ sockets: PassedSockets, from settings: Settings, logger: Logger) throws(SettingsError) {
        if let descriptor = try sockets.listeningSocket(named: "public") {
            publicPlace = .passed(descriptor: descriptor)
            adopt(descriptor, for: .public, from: ReadSettings.Setting.serviceManager, settings)
            Self.warn(of: ["BOOKSTRACK_HTTP_HOST", "BOOKSTRACK_HTTP_PORT"], in: settings, logger)
        }
        if let descriptor = try sockets.listeningSocket(named: "admin") {
            adminPlace = .passed(descriptor: descriptor)
            adopt(descriptor, for: .admin, from: ReadSettings.Setting.serviceManager, settings)
            Self.warn(of: ["BOOKSTRACK_ADMIN_HOST", "BOOKSTRACK_ADMIN_PORT"], in: settings, logger)
        }
        for name in sockets.names where name != "public" && name != "admin" {
            logger.warning("ignoring a passed socket with an unknown name", metadata: ["socket": "\(name)"])
        }
    }

    /// Takes over from the api-proxy that offers its listening sockets at `path`, if there is one: the sockets replace the configured addresses, and
    /// that process stops. Throws `SettingsError`, and lets that process continue, if other machines can reach the received admin socket and the
    /// token that the console therefore needs is missing; the earlier check considered the address that the received socket replaces.
    mutating func takeOver(from path: String, _ settings: Settings, logger: Logger) throws(SettingsError) {
        guard let listeners = OfferedListeners.receive(from: path) else {
            return logger.notice("there is no api-proxy to take over from")
        }
        if let descriptor = listeners.descriptors[.public] {
            publicPlace = .passed(descriptor: descriptor, isKept: false)
            adopt(descriptor, for: .public, from: ReadSettings.Setting.predecessor, settings)
        }
        if let descriptor = listeners.descriptors[.admin] {
            adminPlace = .passed(descriptor: descriptor, isKept: false)
            adopt(descriptor, for: .admin, from: ReadSettings.Setting.predecessor, settings)
        }
        try openConsole(settings)
        listeners.accept()
        predecessorTimeout = ServiceMain.stopLimit + .seconds(2)
        logger.notice("took over from the api-proxy that was running")
    }

    /// Uses the address of a listener's socket instead of the configured one in the reported settings and in the URLs that clients receive.
    private mutating func adopt(
        _ descriptor: CInt, for listener: ListenerName, from source: String, _ settings: Settings
    ) {
        guard let address = Self.address(of: descriptor), let host = address.ipAddress, let port = address.port else {
            return
        }
        for index in reported.indices {
            switch reported[index].name {
            case listener.hostSetting: reported[index].value = host
            case listener.portSetting: reported[index].value = String(port)
            default: continue
            }
            (reported[index].source, reported[index].isDefault) = (source, false)
        }
        if listener == .public, settings[.publicURLs].isEmpty {
            clientAddresses = [Self.url(host: host, port: port)]
        }
    }

    /// The IP address and port on which a socket listens (getsockname(2)); nil if it has none.
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

    /// Warns of each of these settings that is configured, because a passed socket is used instead.
    private static func warn(of names: [String], in settings: Settings, _ logger: Logger) {
        for setting in settings.effective where names.contains(setting.name) && setting.source != .fallback {
            logger.warning(
                "\(setting.name) is ignored: systemd has opened the port; change ListenStream= in the socket unit instead"
            )
        }
    }
}
