import ServiceKit

/// The settings of api-proxy, in its own terms.
struct ProxySettings: Sendable {
    /// Where a listener listens; port 0 takes any free one.
    struct Address: Sendable {
        var host: String
        var port: Int
    }

    var publicAddress: Address
    var adminAddress: Address
    var batchLimits = BatchLimits()
    var socketLimits = SocketLimits()
    var origins = OriginList()
    var trustedProxies = TrustedProxies()
    /// Nil when nobody is limited.
    var rateLimits: RateLimits? = RateLimits()
    var allowsTokenless = false
    var allowedUIDs: Set<UInt32> = []
    /// Sockets that a restarted progress-host is asked to take up in one call.
    var resumePage = 2_000

    init(publicAddress: Address, adminAddress: Address) {
        self.publicAddress = publicAddress
        self.adminAddress = adminAddress
    }

    /// Throws for a malformed block of trusted proxies.
    init(_ settings: Settings) throws(SettingsError) {
        publicAddress = Address(host: settings[.httpHost], port: settings[.httpPort])
        adminAddress = Address(host: settings[.adminHost], port: settings[.adminPort])
        batchLimits.books = settings[.maxBatchBooks]
        socketLimits = SocketLimits(
            total: settings[.maxSockets], perJob: settings[.maxSocketsPerJob],
            perAddress: settings[.maxSocketsPerAddress])
        origins = OriginList(settings[.corsOrigins])
        rateLimits = settings[.rateLimit] ? RateLimits(settings) : nil
        allowsTokenless = settings[.legacyTokenless]
        allowedUIDs = Set(settings[.allowedUserIDs])
        for text in settings[.trustedProxies] {
            guard let block = TrustedProxies.Block(text) else {
                throw .contradiction("BOOKSTRACK_TRUSTED_PROXIES: \"\(text)\" is no address and no CIDR block")
            }
            trustedProxies.blocks.append(block)
        }
    }
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
