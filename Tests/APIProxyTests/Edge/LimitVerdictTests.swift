import BookstrackContract
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import APIProxy

@Suite("Rate limit fields and refusals") struct LimitVerdictTests {
    private func verdict(
        remaining: Int = 0, untilRoom: Int64 = 59_001, _ requests: Int = 10, _ period: RateLimit.Period = .minute
    ) -> LimitVerdict {
        LimitVerdict(
            isAdmitted: remaining > 0, limit: RateLimit(requests: requests, period: period), remaining: remaining,
            untilRoom: untilRoom)
    }

    @Test(
        "Retry-After is rounded up to whole seconds and is at least one second",
        arguments: [
            (0, 1), (1, 1), (1_000, 1), (1_001, 2), (59_001, 60), (60_000, 60), (3_599_999, 3_600),
        ])
    func retryAfter(untilRoom: Int64, seconds: Int) {
        #expect(verdict(untilRoom: untilRoom).retryAfter == seconds)
    }

    @Test("the X-RateLimit fields contain the limit, the remaining requests and the Unix time of the reset")
    func fields() {
        let fields = verdict(remaining: 3, untilRoom: 12_500).fields(unixTime: 1_700_000_000)
        #expect(fields[.known("X-RateLimit-Limit")] == "10")
        #expect(fields[.known("X-RateLimit-Remaining")] == "3")
        #expect(fields[.known("X-RateLimit-Reset")] == "1700000013")
        #expect(fields.count == 3)
    }

    @Test(
        "the refusal of a rate-limited request states when to retry in its message, its details and Retry-After",
        arguments: [
            (59_001 as Int64, 60, "Rate limit exceeded. Try again in 60 seconds."),
            (400, 1, "Rate limit exceeded. Try again in 1 second."),
        ])
    func refusal(untilRoom: Int64, seconds: Int, message: String) {
        let refusal = verdict(untilRoom: untilRoom).refusal
        #expect(refusal.code == .rateLimitExceeded)
        #expect(refusal.message == message)
        #expect(refusal.retryAfter == seconds)
        #expect(
            refusal.details == ["retryAfter": .integer(seconds), "limit": .integer(10), "window": .text("1 minute")])
    }

    @Test("a refusal because of the hourly limit states a window of one hour")
    func hourly() {
        #expect(verdict(1_000, .hour).refusal.details?["window"] == .text("1 hour"))
    }

    @Test(
        "the tighter limit is the one with fewer requests left or, if these are equal, with the longer wait",
        arguments: [
            (1, 10, 2, 99_000, true), (2, 10, 1, 10, false), (0, 5_000, 0, 100, true), (0, 100, 0, 5_000, false),
        ])
    func tightness(left: Int, wait: Int, otherLeft: Int, otherWait: Int, isFirst: Bool) {
        let one = verdict(remaining: left, untilRoom: Int64(wait))
        let other = verdict(remaining: otherLeft, untilRoom: Int64(otherWait))
        #expect((max(one, other) == one) == isFirst)
    }
}

@Suite("Request classes in one client's record") struct ClientRecordTests {
    private let limits = RateLimits()

    @Test(
        "each request class has the documented limit per minute",
        arguments: [
            (RequestClass.ordinary, 50), (.search, 100), (.start, 10), (.import, 10), (.scan, 5), (.report, 10),
            (.jobReading, 240),
        ])
    func documented(requestClass: RequestClass, limit: Int) {
        #expect(limits[requestClass] == RateLimit(requests: limit, period: .minute))
    }

    @Test("all classes together are limited to 1 000 requests an hour")
    func hourly() {
        #expect(limits.hourly == RateLimit(requests: 1_000, period: .hour))
    }

    @Test("an exempt request is not counted at all")
    func exempt() {
        var record = ClientRecord()
        #expect(limits[.exempt] == nil)
        let verdict = record.count(.exempt, limits, at: 1)
        #expect(verdict == nil)
        let hasRefilled = record.hasRefilled(at: 1)
        #expect(hasRefilled)
    }

    @Test("a refused request does not count toward the hourly limit")
    func refused() {
        var record = ClientRecord()
        for _ in 0..<20 { _ = record.count(.scan, limits, at: 1) }
        let other = record.count(.search, RateLimits(hourly: RateLimit(requests: 6, period: .hour)), at: 2)
        #expect(other?.isAdmitted == true)
        #expect(other?.remaining == 0)
    }

    @Test("a request that is taken back no longer counts toward its class's limit")
    func takenBack() {
        var record = ClientRecord()
        for _ in 0..<5 { _ = record.count(.scan, limits, at: 1) }
        let full = record.count(.scan, limits, at: 2)
        #expect(full?.isAdmitted == false)
        record.takeBack(.scan)
        let admitted = record.count(.scan, limits, at: 3)
        #expect(admitted?.isAdmitted == true)
        record.takeBack(.exempt)
        let refused = record.count(.scan, limits, at: 3)
        #expect(refused?.isAdmitted == false)
    }

    @Test(
        "a client's record expires an hour after its last request", arguments: [(3_600_000, false), (3_600_001, true)])
    func refilled(now: Int64, isOver: Bool) {
        var record = ClientRecord()
        _ = record.count(.search, limits, at: 1)
        let hasRefilled = record.hasRefilled(at: now)
        #expect(hasRefilled == isOver)
    }
}
