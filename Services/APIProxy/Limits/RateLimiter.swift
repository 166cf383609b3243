import BookstrackContract
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import Observability
import ServiceKit

/// Counts the requests of each client (http-api.md "Rate limits") under one lock, which is held for well under a microsecond per request.
final class RateLimiter: Sendable {
    private let limits: RateLimits
    private let trustedProxies: TrustedProxies
    private let clock: any SuiteClock
    private let clients: NIOLockedValueBox<ClientTable>

    init(
        _ limits: RateLimits, trustedProxies: TrustedProxies, clock: any SuiteClock = SystemClock(),
        table: ClientTable = ClientTable()
    ) {
        self.limits = limits
        self.trustedProxies = trustedProxies
        self.clock = clock
        clients = NIOLockedValueBox(table)
    }

    /// Counts a request. Returns nil for a class that is not counted.
    func count(_ requestClass: RequestClass, peer: SocketAddress?, fields: HTTPFields) -> LimitVerdict? {
        count(requestClass, trustedProxies.clientNetwork(peer: peer, fields: fields))
    }

    /// Counts a request that does not reach the router. Returns nil for a class that is not counted.
    func count(_ requestClass: RequestClass, peer: SocketAddress?, headers: HTTPHeaders) -> LimitVerdict? {
        count(requestClass, trustedProxies.clientNetwork(peer: peer, headers: headers))
    }

    /// Counts a request from a client whose address is already known. Returns nil for a class that is not counted.
    func count(_ requestClass: RequestClass, _ client: ClientNetwork) -> LimitVerdict? {
        guard requestClass != .exempt else { return nil }
        let now = clock.uptime.milliseconds
        return clients.withLockedValue { table in
            table.update(client, at: now) { $0.count(requestClass, limits, at: now) }
        }
    }

    /// Removes the client's newest request of this class from the counts, because a service that the request needs is down.
    func takeBack(_ requestClass: RequestClass, peer: SocketAddress?, fields: HTTPFields) {
        takeBack(requestClass, trustedProxies.clientNetwork(peer: peer, fields: fields))
    }

    /// Like ``takeBack(_:peer:fields:)``, for a request that does not reach the router.
    func takeBack(_ requestClass: RequestClass, peer: SocketAddress?, headers: HTTPHeaders) {
        takeBack(requestClass, trustedProxies.clientNetwork(peer: peer, headers: headers))
    }

    private func takeBack(_ requestClass: RequestClass, _ client: ClientNetwork) {
        let now = clock.uptime.milliseconds
        clients.withLockedValue { table in
            table.update(client, at: now) { $0.takeBack(requestClass) }
        }
    }

    /// The header fields with the client's limit, remaining requests and reset time.
    func fields(of verdict: LimitVerdict) -> HTTPFields {
        verdict.fields(unixTime: Int64(clock.date.timeIntervalSince1970))
    }
}

/// The limits per client: an hourly limit for all requests, and a limit for each class (http-api.md "Rate limits").
struct RateLimits: Sendable, Equatable {
    /// The limit for all requests that count.
    var hourly = RateLimit(requests: SettingKey.rateLimitPerHour.fallback, period: .hour)
    /// The limit for requests that are in no other class.
    var ordinary = RateLimit(requests: SettingKey.rateLimitPerMinute.fallback, period: .minute)
    var searches = RateLimit(requests: SettingKey.rateLimitSearchesPerMinute.fallback, period: .minute)
    var starts = RateLimit(requests: SettingKey.rateLimitStartsPerMinute.fallback, period: .minute)
    var imports = RateLimit(requests: SettingKey.rateLimitImportsPerMinute.fallback, period: .minute)
    var scans = RateLimit(requests: SettingKey.rateLimitScansPerMinute.fallback, period: .minute)
    var reports = RateLimit(requests: SettingKey.rateLimitReportsPerMinute.fallback, period: .minute)
    var jobReads = RateLimit(requests: SettingKey.rateLimitJobReadsPerMinute.fallback, period: .minute)

    /// The limit of a class, in addition to the hourly one; nil if the class is not counted.
    subscript(requestClass: RequestClass) -> RateLimit? {
        switch requestClass {
        case .exempt: nil
        case .ordinary: ordinary
        case .search: searches
        case .start: starts
        case .import: imports
        case .scan: scans
        case .report: reports
        case .jobReading: jobReads
        }
    }
}

/// The maximum number of requests in any period of a certain length.
struct RateLimit: Sendable, Equatable {
    /// The possible period lengths (http-api.md "Rate limits").
    enum Period: String, Sendable {
        case minute
        case hour

        var milliseconds: Int64 {
            switch self {
            case .minute: 60_000
            case .hour: 3_600_000
            }
        }
    }

    var requests: Int
    var period: Period

    /// The period as written in `details.window`.
    var window: String { "1 \(period.rawValue)" }
}

/// The class in which a route's requests are counted (http-api.md "Rate limits").
enum RequestClass: String, Sendable, CaseIterable {
    /// Not counted: `OPTIONS`, health checks, metrics, the console, the page for readers with its files, and WebSocket upgrades, which have limits of
    /// their own.
    case exempt
    /// Everything else, including unknown paths.
    case ordinary
    /// Searches, covers, and lookups of single books.
    case search
    /// Starts of batch enrichment jobs.
    case start
    /// Uploads of library files: imports and previews.
    case `import`
    /// Uploads of photos.
    case scan
    /// Reports of missing metadata.
    case report
    /// Requests for a job's state, events, results, insights and photos, and `watch` messages on a WebSocket for several jobs.
    case jobReading = "job_reading"
}

/// Whether one request is admitted, and the state of the tightest limit that applies to it (http-api.md "Rate limits").
struct LimitVerdict: Sendable, Equatable {
    var isAdmitted: Bool
    var limit: RateLimit
    /// Number of requests that are still allowed.
    var remaining: Int
    /// Milliseconds until `remaining` next increases.
    var untilRoom: Int64

    /// Seconds until `remaining` next increases, but at least one.
    var retryAfter: Int { max(1, Int((untilRoom + 999) / 1_000)) }
}

extension LimitVerdict: Comparable {
    /// The state of a window with its limit.
    init(_ limit: RateLimit, _ window: SlidingWindow, isAdmitted: Bool, at now: Int64) {
        self.init(
            isAdmitted: isAdmitted, limit: limit, remaining: max(0, limit.requests - window.total),
            untilRoom: max(0, (window.nextRoom(limit.period) ?? now) - now))
    }

    /// Orders by tightness, the tightest last: fewer remaining requests are tighter; if they are equal, a longer wait is tighter.
    static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.remaining == rhs.remaining ? lhs.untilRoom < rhs.untilRoom : lhs.remaining > rhs.remaining
    }
}

extension LimitVerdict {
    /// The header fields `X-RateLimit-*`; the reset time is in Unix seconds (http-api.md "Rate limits").
    func fields(unixTime: Int64) -> HTTPFields {
        [
            Self.limitField: "\(limit.requests)", Self.remainingField: "\(remaining)",
            Self.resetField: "\(unixTime + Int64(retryAfter))",
        ]
    }

    private static let limitField = HTTPField.Name.known("X-RateLimit-Limit")
    private static let remainingField = HTTPField.Name.known("X-RateLimit-Remaining")
    private static let resetField = HTTPField.Name.known("X-RateLimit-Reset")

    /// The 429 response described in http-api.md "Rate limits".
    var refusal: APIFailure {
        let unit = retryAfter == 1 ? "second" : "seconds"
        return APIFailure(
            .rateLimitExceeded, "Rate limit exceeded. Try again in \(retryAfter) \(unit).",
            details: [
                "retryAfter": .integer(retryAfter), "limit": .integer(limit.requests), "window": .text(limit.window),
            ], retryAfter: retryAfter)
    }
}
