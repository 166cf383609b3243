package import Foundation

// Settings of the HTTP API: listeners, limits, origins and deprecated routes.

extension SettingKey where Value == String {
    package static var httpHost: Self {
        SettingKey("BOOKSTRACK_HTTP_HOST", .text, default: "127.0.0.1", "Address of the public HTTP listener")
    }

    package static var adminHost: Self {
        SettingKey(
            "BOOKSTRACK_ADMIN_HOST", .text, default: "127.0.0.1",
            "Address of the admin listener: metrics, readiness and the console")
    }
}

extension SettingKey where Value == Int {
    package static var httpPort: Self {
        SettingKey("BOOKSTRACK_HTTP_PORT", .port, default: 8787, "Port of the public HTTP listener")
    }

    package static var adminPort: Self {
        SettingKey(
            "BOOKSTRACK_ADMIN_PORT", .port, default: 9787,
            "Port of the admin listener: metrics, readiness and the console")
    }

    /// The largest batch that can be configured.
    package static var batchLimit: Int { 10_000 }

    package static var maxBatchBooks: Self {
        SettingKey(
            "BOOKSTRACK_MAX_BATCH_BOOKS", .integer(1...batchLimit, unit: "books"), default: batchLimit,
            "Maximum books per batch; the shipped apps send at most 100")
    }

    package static var maxSockets: Self {
        SettingKey(
            "BOOKSTRACK_MAX_SOCKETS", .integer(1...1_000_000), default: 18_000,
            "Maximum open WebSockets, event streams and long polls")
    }

    package static var maxSocketsPerJob: Self {
        SettingKey(
            "BOOKSTRACK_MAX_SOCKETS_PER_JOB", .integer(1...1_000_000), default: 64,
            "Maximum open WebSockets, event streams and long polls per job")
    }

    package static var maxSocketsPerAddress: Self {
        SettingKey(
            "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS", .integer(1...1_000_000), default: 1_000,
            "Maximum open WebSockets, event streams and long polls per client address")
    }
}

extension SettingKey where Value == Int? {
    package static var maxConnections: Self {
        SettingKey(
            "BOOKSTRACK_MAX_CONNECTIONS", .optionalInteger(1...1_000_000), default: nil,
            note: "BOOKSTRACK_MAX_SOCKETS + 1000",
            "Maximum open connections to the public listener, including WebSockets; fewer if the open-file limit is lower"
        )
    }

    package static var maxConnectionsPerAddress: Self {
        SettingKey(
            "BOOKSTRACK_MAX_CONNECTIONS_PER_ADDRESS", .optionalInteger(1...1_000_000), default: nil,
            note: "same as BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS",
            "Maximum open connections per client address, excluding WebSockets and event streams; at most three quarters of all connections; trusted proxies are exempt"
        )
    }
}

extension Settings {
    /// The value of ``SettingKey/maxConnections`` or its default.
    package var maxConnections: Int { self[.maxConnections] ?? self[.maxSockets] + 1_000 }

    /// The value of ``SettingKey/maxConnectionsPerAddress`` or its default, which lets all sockets of an address reconnect at the same time.
    package var maxConnectionsPerAddress: Int { self[.maxConnectionsPerAddress] ?? self[.maxSocketsPerAddress] }
}

extension SettingKey where Value == Bool {
    package static var takeOver: Self {
        SettingKey(
            "BOOKSTRACK_TAKE_OVER", .toggle, default: false,
            "Take over the ports of the api-proxy that uses the same runtime directory; that process then stops")
    }

    package static var legacyTokenless: Self {
        SettingKey(
            "BOOKSTRACK_LEGACY_TOKENLESS", .toggle, default: false,
            "Allow v1 clients to watch and cancel jobs without a token")
    }
}

extension SettingKey where Value == Date {
    package static var sunset: SettingKey<Date> {
        SettingKey(
            "BOOKSTRACK_SUNSET", .day, default: SuiteVersion.released + 180 * 86_400,
            "Removal date of the deprecated routes, sent in their Sunset header until then")
    }
}

extension SettingKey where Value == [AddressBlock] {
    package static var trustedProxies: Self {
        SettingKey(
            "BOOKSTRACK_TRUSTED_PROXIES", .addressBlocks, default: [],
            "Addresses and CIDR blocks whose X-Forwarded-For is trusted")
    }
}

extension SettingKey where Value == [String] {
    /// The allowed origins of requests and WebSockets; a `*` stands for any port (http-api.md "Origins").
    package static var corsOrigins: Self {
        SettingKey(
            "BOOKSTRACK_CORS_ORIGINS", .origins,
            default: [
                "https://bookstrack.app", "https://www.bookstrack.app", "http://localhost:*", "http://127.0.0.1:*",
                "capacitor://localhost", "ionic://localhost",
            ], "Web origins that may call the API")
    }

    package static var publicURLs: Self {
        SettingKey(
            "BOOKSTRACK_PUBLIC_URL", .baseURLs, default: [],
            "Public addresses of the API; pages served from them may call it")
    }

    package static var adminHosts: Self {
        SettingKey(
            "BOOKSTRACK_ADMIN_HOSTS", .hosts, default: [],
            "Additional Host names accepted by the admin listener")
    }
}

extension SettingCatalog {
    static let http: [SettingDeclaration] = [
        SettingKey.httpHost.declaration, SettingKey.httpPort.declaration, SettingKey.adminHost.declaration,
        SettingKey.adminPort.declaration, SettingKey.maxBatchBooks.declaration, SettingKey.maxSockets.declaration,
        SettingKey.maxSocketsPerJob.declaration, SettingKey.maxSocketsPerAddress.declaration,
        SettingKey.maxConnections.declaration, SettingKey.maxConnectionsPerAddress.declaration,
        SettingKey.trustedProxies.declaration, SettingKey.corsOrigins.declaration,
        SettingKey.takeOver.declaration, SettingKey.publicURLs.declaration, SettingKey.adminHosts.declaration,
        SettingKey.legacyTokenless.declaration, SettingKey.sunset.declaration,
    ]
}

// Limits per client address (http-api.md "Rate limits"), read by api-proxy.

extension SettingKey where Value == Bool {
    package static var rateLimit: Self {
        SettingKey("BOOKSTRACK_RATE_LIMIT", .toggle, default: true, "Rate-limit client requests; off is for load tests")
    }
}

extension SettingKey where Value == Int {
    package static var rateLimitPerHour: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_PER_HOUR", .integer(1...1_000_000_000, unit: "per hour"), default: 1_000,
            "Maximum requests per client address")
    }

    package static var rateLimitPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_PER_MINUTE", .integer(1...1_000_000_000, unit: "per minute"), default: 50,
            "Maximum requests per client address to routes without a limit of their own")
    }

    package static var rateLimitSearchesPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_SEARCHES_PER_MINUTE", .integer(1...1_000_000_000, unit: "per minute"),
            default: 100, "Maximum searches, covers and single books per client address")
    }

    package static var rateLimitStartsPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_STARTS_PER_MINUTE", .integer(1...1_000_000_000, unit: "per minute"),
            default: 10, "Maximum batches started per client address")
    }

    package static var rateLimitImportsPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_IMPORTS_PER_MINUTE", .integer(1...1_000_000_000, unit: "per minute"),
            default: 10, "Maximum imports and previews per client address")
    }

    package static var rateLimitScansPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_SCANS_PER_MINUTE", .integer(1...1_000_000_000, unit: "per minute"),
            default: 5, "Maximum photo scans per client address")
    }

    package static var rateLimitReportsPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_REPORTS_PER_MINUTE", .integer(1...1_000_000_000, unit: "per minute"),
            default: 10, "Maximum reports of missing metadata per client address")
    }

    package static var rateLimitJobReadsPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_JOB_READS_PER_MINUTE", .integer(1...1_000_000_000, unit: "per minute"),
            default: 240,
            "Maximum job states, results, insights and photos read, and event streams opened, per client address")
    }
}

extension SettingCatalog {
    static let rateLimits: [SettingDeclaration] = [
        SettingKey.rateLimit.declaration, SettingKey.rateLimitPerHour.declaration,
        SettingKey.rateLimitPerMinute.declaration, SettingKey.rateLimitSearchesPerMinute.declaration,
        SettingKey.rateLimitStartsPerMinute.declaration, SettingKey.rateLimitImportsPerMinute.declaration,
        SettingKey.rateLimitScansPerMinute.declaration, SettingKey.rateLimitReportsPerMinute.declaration,
        SettingKey.rateLimitJobReadsPerMinute.declaration,
    ]
}
