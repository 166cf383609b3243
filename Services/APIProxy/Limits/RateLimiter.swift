import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// Counts the requests of every client (http-api.md "Rate limits"). One lock, held for well under a microsecond per request.
final class RateLimiter: Sendable {
    private let limits: RateLimits
    private let trustedProxies: TrustedProxies
    private let clock: LimitClock
    private let clients: NIOLockedValueBox<ClientTable>

    init(
        _ limits: RateLimits, trustedProxies: TrustedProxies, clock: LimitClock = .system,
        table: ClientTable = ClientTable()
    ) {
        self.limits = limits
        self.trustedProxies = trustedProxies
        self.clock = clock
        clients = NIOLockedValueBox(table)
    }

    /// Counts a request, also one that is refused; nil for a class that is not counted.
    func count(_ requestClass: RequestClass, peer: SocketAddress?, fields: HTTPFields) -> LimitVerdict? {
        count(requestClass, trustedProxies.clientNetwork(peer: peer, fields: fields))
    }

    /// The same by a head that the router does not see.
    func count(_ requestClass: RequestClass, peer: SocketAddress?, headers: HTTPHeaders) -> LimitVerdict? {
        count(requestClass, trustedProxies.clientNetwork(peer: peer, headers: headers))
    }

    private func count(_ requestClass: RequestClass, _ client: ClientNetwork) -> LimitVerdict? {
        guard requestClass != .exempt else { return nil }
        let now = clock.uptime()
        return clients.withLockedValue { table in
            table.update(client, at: now) { $0.count(requestClass, limits, at: now) }
        }
    }

    /// Uncounts the newest request of the client and class, because nothing could be done with it.
    func takeBack(_ requestClass: RequestClass, peer: SocketAddress?, fields: HTTPFields) {
        takeBack(requestClass, trustedProxies.clientNetwork(peer: peer, fields: fields))
    }

    /// The same by a head that the router does not see.
    func takeBack(_ requestClass: RequestClass, peer: SocketAddress?, headers: HTTPHeaders) {
        takeBack(requestClass, trustedProxies.clientNetwork(peer: peer, headers: headers))
    }

    private func takeBack(_ requestClass: RequestClass, _ client: ClientNetwork) {
        let now = clock.uptime()
        clients.withLockedValue { table in
            table.update(client, at: now) { $0.takeBack(requestClass) }
        }
    }

    /// The fields that tell the client where it stands.
    func fields(of verdict: LimitVerdict) -> HTTPFields { verdict.fields(unixTime: clock.unixTime()) }
}

/// The times that limits need: one that never jumps, to count by, and the calendar's, to tell clients.
struct LimitClock: Sendable {
    /// Milliseconds since some moment before the first request.
    var uptime: @Sendable () -> Int64
    /// Seconds since 1970.
    var unixTime: @Sendable () -> Int64

    /// The machine's clocks.
    static var system: LimitClock {
        let start = ContinuousClock.now
        return LimitClock(
            uptime: {
                let (seconds, attoseconds) = (ContinuousClock.now - start).components
                return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
            },
            unixTime: { Int64(Date().timeIntervalSince1970) })
    }
}
