package import Foundation

// Settings of api-proxy's listeners and limits.

extension SettingKey where Value == String {
    package static var httpHost: Self {
        SettingKey("BOOKSTRACK_HTTP_HOST", .text, default: "127.0.0.1", "Address of the public HTTP listener")
    }

    package static var adminHost: Self {
        SettingKey(
            "BOOKSTRACK_ADMIN_HOST", .text, default: "127.0.0.1", "Address of the listener for metrics and readiness")
    }
}

extension SettingKey where Value == Int {
    package static var httpPort: Self {
        SettingKey("BOOKSTRACK_HTTP_PORT", .port, default: 8787, "Port of the public HTTP listener")
    }

    package static var adminPort: Self {
        SettingKey("BOOKSTRACK_ADMIN_PORT", .port, default: 9787, "Port of the listener for metrics and readiness")
    }

    package static var maxBatchBooks: Self {
        SettingKey(
            "BOOKSTRACK_MAX_BATCH_BOOKS", .integer(1...10_000, unit: "books"), default: 10_000,
            "Most books of one batch; the shipped apps keep 100")
    }

    package static var maxSockets: Self {
        SettingKey("BOOKSTRACK_MAX_SOCKETS", .integer(1...1_000_000), default: 18_000, "Most open WebSockets")
    }

    package static var maxSocketsPerJob: Self {
        SettingKey(
            "BOOKSTRACK_MAX_SOCKETS_PER_JOB", .integer(1...1_000_000), default: 64, "Most open WebSockets of one job")
    }

    package static var maxSocketsPerAddress: Self {
        SettingKey(
            "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS", .integer(1...1_000_000), default: 1_000,
            "Most open WebSockets of one client address")
    }
}

extension SettingKey where Value == Int? {
    package static var maxConnections: Self {
        SettingKey(
            "BOOKSTRACK_MAX_CONNECTIONS", .optionalInteger(1...1_000_000), default: nil,
            note: "BOOKSTRACK_MAX_SOCKETS and 1000",
            "Most open connections of the public listener, WebSockets included; fewer where the limit of open files is lower"
        )
    }

    package static var maxConnectionsPerAddress: Self {
        SettingKey(
            "BOOKSTRACK_MAX_CONNECTIONS_PER_ADDRESS", .optionalInteger(1...1_000_000), default: nil,
            note: "as BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS",
            "Most open connections of one client address that are no WebSockets, at most three quarters of all; trusted proxies have no such limit"
        )
    }
}

extension Settings {
    /// ``SettingKey/maxConnections`` or its default.
    package var mostConnections: Int { self[.maxConnections] ?? self[.maxSockets] + 1_000 }

    /// ``SettingKey/maxConnectionsPerAddress`` or its default, with which all sockets of an address may come back at once.
    package var mostConnectionsPerAddress: Int { self[.maxConnectionsPerAddress] ?? self[.maxSocketsPerAddress] }
}

extension SettingKey where Value == Bool {
    package static var takeOver: Self {
        SettingKey(
            "BOOKSTRACK_TAKE_OVER", .toggle, default: false,
            "Whether an api-proxy that runs in the same runtime directory hands its ports to this one and stops")
    }

    package static var legacyTokenless: Self {
        SettingKey(
            "BOOKSTRACK_LEGACY_TOKENLESS", .toggle, default: false, "Whether v1 clients may connect without a token")
    }
}

extension SettingKey where Value == Date {
    package static var sunset: SettingKey<Date> {
        SettingKey(
            "BOOKSTRACK_SUNSET", .day, default: SuiteVersion.released + 180 * 86_400,
            "Day on which the deprecated routes go away, as their Sunset field says until then")
    }
}

extension SettingKey where Value == [AddressBlock] {
    package static var trustedProxies: Self {
        SettingKey(
            "BOOKSTRACK_TRUSTED_PROXIES", .addressBlocks, default: [],
            "Addresses and CIDR blocks whose X-Forwarded-For is believed")
    }
}

extension SettingKey where Value == [String] {
    /// Also the allow-list of WebSocket origins; a `*` stands for any port (spec/07 "CORS defaults").
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
            "Addresses under which clients reach the API, whose own pages may call it")
    }

    package static var adminHosts: Self {
        SettingKey(
            "BOOKSTRACK_ADMIN_HOSTS", .hosts, default: [],
            "Hosts that requests of the admin listener may name besides its own address and localhost")
    }
}

extension SettingCatalogue {
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
