import Foundation
import HTTPTypes
import NIOCore
import ServiceKit
import TestSupport
import Testing
@testable import APIProxy

@Suite("Rate limits") struct RateLimiterTests {
    private let clock = ManualClock(date: Date(timeIntervalSince1970: 1_700_000_000))
    private let peer: SocketAddress

    init() throws { peer = try SocketAddress(ipAddress: "203.0.113.1", port: 1) }

    private func limiter(trusting blocks: [String] = []) throws -> RateLimiter {
        var proxies = TrustedProxies()
        proxies.blocks = try blocks.map { try #require(AddressBlock($0)) }
        return RateLimiter(RateLimits(), trustedProxies: proxies, clock: clock)
    }

    @Test(
        "request classes have separate limits per minute",
        arguments: [(RequestClass.ordinary, 50), (.search, 100), (.start, 10), (.jobReading, 240)])
    func classes(_ requestClass: RequestClass, _ limit: Int) throws {
        let limiter = try limiter()
        for left in (0..<limit).reversed() {
            let verdict = try #require(limiter.count(requestClass, peer: peer, fields: [:]))
            #expect(verdict.isAdmitted)
            #expect(verdict.remaining == left)
            #expect(verdict.limit.requests == limit)
        }
        let refused = try #require(limiter.count(requestClass, peer: peer, fields: [:]))
        #expect(!refused.isAdmitted)
        #expect(refused.remaining == 0)
        #expect(refused.limit.period == .minute)
        let other: RequestClass = requestClass == .ordinary ? .search : .ordinary
        #expect(limiter.count(other, peer: peer, fields: [:])?.isAdmitted == true)
    }

    @Test("a refused client is admitted again after Retry-After, and not a second sooner")
    func retryAfter() throws {
        let limiter = try limiter()
        clock.move(by: .milliseconds(2_500))
        for _ in 0..<10 { _ = limiter.count(.start, peer: peer, fields: [:]) }
        let refused = try #require(limiter.count(.start, peer: peer, fields: [:]))
        #expect(refused.retryAfter == 60)
        clock.move(by: .seconds(refused.retryAfter - 1))
        #expect(limiter.count(.start, peer: peer, fields: [:])?.isAdmitted == false)
        clock.move(by: .seconds(1))
        #expect(limiter.count(.start, peer: peer, fields: [:])?.isAdmitted == true)
    }

    @Test("a refused client that keeps retrying is admitted no later than one that waits")
    func hammering() throws {
        let limiter = try limiter()
        for _ in 0..<10 { _ = limiter.count(.start, peer: peer, fields: [:]) }
        for _ in 0..<59 {
            #expect(limiter.count(.start, peer: peer, fields: [:])?.isAdmitted == false)
            clock.move(by: .seconds(1))
        }
        clock.move(by: .seconds(1))
        #expect(limiter.count(.start, peer: peer, fields: [:])?.isAdmitted == true)
    }

    @Test("a request that is taken back no longer counts toward the rate limit")
    func takenBack() throws {
        let limiter = try limiter()
        for _ in 0..<25 {
            #expect(limiter.count(.start, peer: peer, fields: [:])?.remaining == 9)
            limiter.takeBack(.start, peer: peer, fields: [:])
        }
        #expect(limiter.count(.start, peer: peer, fields: [:])?.remaining == 9)
        limiter.takeBack(.search, peer: peer, fields: [:])
        #expect(limiter.count(.start, peer: peer, fields: [:])?.remaining == 8)
    }

    @Test("the hourly limit applies to all classes together and is reported when it is the tightest limit")
    func hourly() throws {
        let limiter = try limiter()
        for minute in 0..<10 {
            for _ in 0..<100 {
                #expect(limiter.count(.search, peer: peer, fields: [:])?.isAdmitted == true, "minute \(minute)")
            }
            clock.move(by: .seconds(60))
        }
        for requestClass in RequestClass.allCases where requestClass != .exempt {
            let refused = try #require(limiter.count(requestClass, peer: peer, fields: [:]))
            #expect(!refused.isAdmitted)
            #expect(refused.limit == RateLimit(requests: 1_000, period: .hour))
            #expect(refused.retryAfter > 60)
        }
        clock.move(by: .seconds(3_600))
        #expect(limiter.count(.ordinary, peer: peer, fields: [:])?.isAdmitted == true)
    }

    @Test("the X-RateLimit fields state the limit, the remaining requests, and the reset time in Unix seconds")
    func fields() throws {
        let limiter = try limiter()
        clock.move(by: .seconds(3))
        let verdict = try #require(limiter.count(.search, peer: peer, fields: [:]))
        let fields = limiter.fields(of: verdict)
        #expect(fields[.known("X-RateLimit-Limit")] == "100")
        #expect(fields[.known("X-RateLimit-Remaining")] == "99")
        #expect(fields[.known("X-RateLimit-Reset")] == "1700000063")
    }

    @Test("an untrusted peer cannot pose as another client with a forged X-Forwarded-For")
    func forged() throws {
        let limiter = try limiter(trusting: ["10.0.0.0/8"])
        for number in 0..<50 {
            _ = limiter.count(.ordinary, peer: peer, fields: [.known("X-Forwarded-For"): "198.51.100.\(number)"])
        }
        #expect(limiter.count(.ordinary, peer: peer, fields: [:])?.isAdmitted == false)
    }

    @Test("clients behind a trusted proxy are counted separately, by the X-Forwarded-For entry that the proxy added")
    func proxied() throws {
        let limiter = try limiter(trusting: ["10.0.0.0/8"])
        let proxy = try SocketAddress(ipAddress: "10.0.0.1", port: 1)
        for number in 0..<50 {
            let fields: HTTPFields = [.known("X-Forwarded-For"): "192.0.2.\(number), 198.51.100.1"]
            #expect(limiter.count(.ordinary, peer: proxy, fields: fields)?.isAdmitted == true)
        }
        let one: HTTPFields = [.known("X-Forwarded-For"): "198.51.100.1"]
        #expect(limiter.count(.ordinary, peer: proxy, fields: one)?.isAdmitted == false)
        let two: HTTPFields = [.known("X-Forwarded-For"): "198.51.100.2"]
        #expect(limiter.count(.ordinary, peer: proxy, fields: two)?.isAdmitted == true)
    }

    @Test("addresses in the same IPv6 /64 count as one client, and addresses in different ones do not")
    func ipv6() throws {
        let limiter = try limiter()
        for number in 0..<50 {
            let peer = try SocketAddress(ipAddress: "2001:db8:1:2::\(number)", port: 1)
            #expect(limiter.count(.ordinary, peer: peer, fields: [:])?.isAdmitted == true)
        }
        let same = try SocketAddress(ipAddress: "2001:db8:1:2:ffff::1", port: 1)
        #expect(limiter.count(.ordinary, peer: same, fields: [:])?.isAdmitted == false)
        let other = try SocketAddress(ipAddress: "2001:db8:1:3::1", port: 1)
        #expect(limiter.count(.ordinary, peer: other, fields: [:])?.isAdmitted == true)
    }
}
