import Foundation
import ServiceKit

/// The settings of api-proxy, in its own terms.
struct ProxySettings: Sendable {
    var publicPlace: ListeningPlace
    var adminPlace: ListeningPlace
    var batchLimits = BatchLimits()
    var socketLimits = SocketLimits()
    var patience = PeerPatience()
    var origins = OriginList()
    /// Hosts of ``SettingKey/publicURLs``.
    var publicHosts: [HostName] = []
    var adminHosts: [HostName] = []
    var trustedProxies = TrustedProxies()
    /// Nil when nobody is limited.
    var rateLimits: RateLimits? = RateLimits()
    /// When the deprecated routes go away.
    var sunset = SettingKey.sunset.fallback
    var allowedUIDs: Set<UInt32> = []
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
        origins = OriginList(settings[.corsOrigins])
        publicHosts = settings[.publicURLs].compactMap { URLComponents(string: $0)?.host }.compactMap { HostName($0) }
        adminHosts = settings[.adminHosts].compactMap { HostName($0) }
        rateLimits = settings[.rateLimit] ? RateLimits(settings) : nil
        sunset = settings[.sunset]
        allowedUIDs = Set(settings[.allowedUserIDs])
        trustedProxies.blocks = settings[.trustedProxies]
    }

    /// Of the public listener.
    var originRule: OriginRule {
        OriginRule(
            listed: origins, hosts: HostList(publicPlace, further: publicHosts), trustedProxies: trustedProxies)
    }

    /// What the admin listener may be called.
    var adminNames: HostList { HostList(adminPlace, further: adminHosts) }
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
