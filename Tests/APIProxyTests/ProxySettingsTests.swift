import Foundation
import HTTPTypes
import NIOCore
import ServiceKit
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("Settings of api-proxy") struct ProxySettingsTests {
    private func settings(_ environment: [String: String] = [:]) throws -> ProxySettings {
        ProxySettings(
            try Settings.load(
                arguments: [], environment: environment.mapKeys { "BOOKSTRACK_\($0)" }))
    }

    @Test("without configuration, the documented defaults apply")
    func documented() throws {
        let settings = try settings()
        #expect(settings.socketLimits.perAddress == SettingKey.maxSocketsPerAddress.fallback)
        #expect(settings.rateLimits == RateLimits())
        #expect(settings.origins == OriginList())
        #expect(settings.trustedProxies.blocks.isEmpty)
        #expect(settings.clientAddresses == ["http://127.0.0.1:8787"])
    }

    @Test("rate limits may be changed individually and switched off")
    func rates() throws {
        let settings = try settings([
            "RATE_LIMIT_PER_HOUR": "5", "RATE_LIMIT_PER_MINUTE": "4", "RATE_LIMIT_SEARCHES_PER_MINUTE": "3",
            "RATE_LIMIT_STARTS_PER_MINUTE": "2", "RATE_LIMIT_IMPORTS_PER_MINUTE": "7",
            "RATE_LIMIT_SCANS_PER_MINUTE": "8",
            "RATE_LIMIT_JOB_READS_PER_MINUTE": "9", "RATE_LIMIT_REPORTS_PER_MINUTE": "6",
        ])
        let limits = try #require(settings.rateLimits)
        #expect(limits.hourly.requests == 5)
        let expected: [(RequestClass, Int)] = [
            (.ordinary, 4), (.search, 3), (.start, 2), (.import, 7), (.scan, 8), (.jobReading, 9), (.report, 6),
        ]
        for (requestClass, limit) in expected { #expect(limits[requestClass]?.requests == limit, "\(requestClass)") }
        #expect(try self.settings(["RATE_LIMIT": "off"]).rateLimits == nil)
    }

    @Test(
        "clients receive the configured public URLs, or else the listener's own",
        arguments: [
            ([:], ["http://127.0.0.1:8787"]), (["HTTP_PORT": "9000"], ["http://127.0.0.1:9000"]),
            (["HTTP_HOST": "192.0.2.7"], ["http://192.0.2.7:8787"]),
            (["HTTP_HOST": "0.0.0.0"], ["http://127.0.0.1:8787"]),
            (["HTTP_HOST": "::1"], ["http://[::1]:8787"]), (["HTTP_HOST": "::"], ["http://127.0.0.1:8787"]),
            (["PUBLIC_URL": "https://books.example.org"], ["https://books.example.org"]),
            (["PUBLIC_URL": "https://books.example.org/"], ["https://books.example.org"]),
        ])
    func addresses(environment: [String: String], addresses: [String]) throws {
        #expect(try settings(environment).clientAddresses == addresses)
    }

    @Test(
        "the public listener's own names include its host and the host of its public URL",
        arguments: [
            ("books.example.org", true), ("192.0.2.7", true), ("evil.example", false),
        ])
    func names(host: String, isOwn: Bool) throws {
        let settings = try settings(["HTTP_HOST": "192.0.2.7", "PUBLIC_URL": "https://books.example.org"])
        #expect(settings.originRule.hosts.contains(try #require(HostName(host)), at: nil) == isOwn)
    }

    @Test("the admin listener accepts its own names, which the public listener does not accept")
    func adminNames() throws {
        let settings = try settings(["ADMIN_HOSTS": "ops.example.org"])
        #expect(settings.adminNames.contains(try #require(HostName("ops.example.org")), at: nil))
        #expect(!settings.originRule.hosts.contains(try #require(HostName("ops.example.org")), at: nil))
    }

    @Test("socket and batch limits are those configured")
    func limits() throws {
        let settings = try settings([
            "MAX_SOCKETS": "30", "MAX_SOCKETS_PER_JOB": "2", "MAX_SOCKETS_PER_ADDRESS": "3", "MAX_BATCH_BOOKS": "12",
        ])
        #expect(settings.socketLimits.total == 30)
        #expect(settings.socketLimits.perJob == 2)
        #expect(settings.socketLimits.perAddress == 3)
        #expect(settings.batchLimits.books == 12)
    }

    @Test("trusted proxies are configured as address blocks")
    func proxies() throws {
        let settings = try settings(["TRUSTED_PROXIES": "10.0.0.0/8,2001:db8::/32"])
        #expect(settings.trustedProxies.trusts(try #require(ClientAddress("10.1.2.3"))))
        #expect(settings.trustedProxies.trusts(try #require(ClientAddress("2001:db8::9"))))
        #expect(!settings.trustedProxies.trusts(try #require(ClientAddress("192.0.2.1"))))
    }

    @Test("configured origins replace the documented ones")
    func origins() throws {
        let settings = try settings(["CORS_ORIGINS": "https://a.example"])
        #expect(settings.origins.allows("https://a.example"))
        #expect(!settings.origins.allows("https://bookstrack.app"))
    }
}

extension Dictionary {
    /// The same values under other keys.
    fileprivate func mapKeys(_ key: (Key) -> Key) -> Self {
        Self(uniqueKeysWithValues: map { (key($0.key), $0.value) })
    }
}

@Suite("Header fields of deprecated routes") struct DeprecationTests {
    private func fields(sunset: TimeInterval, now: TimeInterval) -> [String: String] {
        let deprecation = Deprecation(successor: "/v1/search/title", sunset: Date(timeIntervalSince1970: sunset))
        let fields = deprecation.fields(at: Date(timeIntervalSince1970: now))
        return Dictionary(uniqueKeysWithValues: fields.map { ($0.name.rawName, $0.value) })
    }

    @Test("a deprecated route names its successor, and its sunset date until that date has passed")
    func announced() {
        #expect(
            fields(sunset: 784_111_777, now: 784_111_776) == [
                "Deprecation": "@1763164800", "Link": "</v1/search/title>; rel=\"successor-version\"",
                "Sunset": "Sun, 06 Nov 1994 08:49:37 GMT",
            ])
        #expect(fields(sunset: 784_111_777, now: 784_111_777)["Sunset"] == nil)
    }
}
