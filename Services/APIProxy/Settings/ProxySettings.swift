import Foundation
import Logging
import ServiceKit
import SuiteMethods

/// The settings of api-proxy, in its own terms.
struct ProxySettings: Sendable {
    var publicPlace: ListeningPlace
    var adminPlace: ListeningPlace
    var batchLimits = BatchLimits()
    var socketLimits = SocketLimits()
    var connectionLimits = ConnectionLimits(total: 19_000, perAddress: 1_000)
    var patience = PeerPatience()
    var origins = OriginList()
    /// Where clients reach the API, as URLs: the public ones, else the listener's own.
    var clientAddresses = ["http://127.0.0.1:8787"]
    /// What the public listener is called: its host and those of `BOOKSTRACK_PUBLIC_URL`.
    var publicHosts: [HostName] = []
    /// What the admin listener is called.
    var adminHosts: [HostName] = []
    /// How long the api-proxy whose ports were taken over may take to end.
    var predecessorPatience = Duration.zero
    var trustedProxies = TrustedProxies()
    /// Nil when clients are not limited.
    var rateLimits: RateLimits? = RateLimits()
    /// When the deprecated routes go away.
    var sunset = SettingKey.sunset.fallback
    var allowedUIDs: Set<UInt32> = []
    /// What the process runs with, as the command line is told.
    var reported: [ReadSettings.Setting] = []
    /// Sockets that a restarted progress-host is asked to take up in one call.
    var resumePage = 2_000

    init(publicPlace: ListeningPlace, adminPlace: ListeningPlace) {
        self.publicPlace = publicPlace
        self.adminPlace = adminPlace
    }

    init(_ settings: Settings) {
        publicPlace = .address(host: settings[.httpHost], port: settings[.httpPort])
        adminPlace = .address(host: settings[.adminHost], port: settings[.adminPort])
        batchLimits.books = settings[.maxBatchBooks]
        socketLimits = SocketLimits(
            total: settings[.maxSockets], perJob: settings[.maxSocketsPerJob],
            perAddress: settings[.maxSocketsPerAddress])
        connectionLimits = ConnectionLimits(
            total: settings.mostConnections, perAddress: settings.mostConnectionsPerAddress)
        origins = OriginList(settings[.corsOrigins])
        clientAddresses = settings[.publicURLs]
        if clientAddresses.isEmpty {
            let host = ["0.0.0.0", "::"].contains(settings[.httpHost]) ? "127.0.0.1" : settings[.httpHost]
            clientAddresses = ["http://\(host.contains(":") ? "[\(host)]" : host):\(settings[.httpPort])"]
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

    /// Descriptors that are no client's: the other sockets of the process, covers that are being sent, the log.
    private static let ownDescriptors = 256

    /// Takes no more connections than the process may open descriptors, so that it never runs out of them.
    mutating func fitConnections(to descriptors: Int, _ logger: Logger) {
        let room = max(descriptors - Self.ownDescriptors, descriptors / 2)
        guard room < connectionLimits.total else { return }
        logger.warning(
            "the limit of open files allows fewer connections than BOOKSTRACK_MAX_CONNECTIONS",
            metadata: ["open_files": "\(descriptors)", "connections": "\(room)"])
        connectionLimits = ConnectionLimits(total: room, perAddress: connectionLimits.perAddress)
    }

    /// Of the public listener.
    var originRule: OriginRule {
        OriginRule(
            listed: origins, hosts: HostList(publicHosts), trustedProxies: trustedProxies)
    }

    /// What the admin listener may be called.
    var adminNames: HostList { HostList(adminHosts) }
}

extension RateLimits {
    fileprivate init(_ settings: Settings) {
        hourly.requests = settings[.rateLimitPerHour]
        ordinary.requests = settings[.rateLimitPerMinute]
        searches.requests = settings[.rateLimitSearchesPerMinute]
        starts.requests = settings[.rateLimitStartsPerMinute]
        jobReads.requests = settings[.rateLimitJobReadsPerMinute]
    }
}
