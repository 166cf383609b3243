@testable import ProviderClient
import Testing

@Suite("Circuit breaker")
struct CircuitBreakerTests {
    let start = MonotonicInstant(sinceStart: .seconds(50))

    func at(_ seconds: Int) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    func fail(_ breaker: inout CircuitBreaker, times: Int, now: MonotonicInstant) throws {
        for _ in 0..<times {
            breaker.record(.failed, permit: try breaker.admit(now: now).get(), now: now)
        }
    }

    @Test("five consecutive failures open the breaker for ten seconds, after which it lets one probe through")
    func opens() throws {
        var breaker = CircuitBreaker()
        try fail(&breaker, times: 4, now: start)
        #expect(breaker.status(now: start) == .closed)
        try fail(&breaker, times: 1, now: start)
        #expect(breaker.status(now: start) == .open(until: at(10), cause: .failures))
        #expect(breaker.refusal(now: at(4))?.retryAfter == .seconds(6))
        let probe = try breaker.admit(now: at(10)).get()
        #expect(probe.isProbe)
        #expect(breaker.admit(now: at(10)) == .failure(.init(retryAfter: .zero, cause: .failures)))
        breaker.record(.healthy, permit: probe, now: at(11))
        #expect(breaker.status(now: at(11)) == .closed)
        #expect(try breaker.admit(now: at(11)).get().isProbe == false)
    }

    @Test("a successful call between failures restarts the count")
    func inARow() throws {
        var breaker = CircuitBreaker()
        try fail(&breaker, times: 4, now: start)
        breaker.record(.healthy, permit: try breaker.admit(now: start).get(), now: start)
        try fail(&breaker, times: 4, now: start)
        #expect(breaker.status(now: start) == .closed)
    }

    @Test("a failed probe opens the breaker for another ten seconds")
    func failedProbe() throws {
        var breaker = CircuitBreaker()
        try fail(&breaker, times: 5, now: start)
        breaker.record(.failed, permit: try breaker.admit(now: at(10)).get(), now: at(12))
        #expect(breaker.status(now: at(12)) == .open(until: at(22), cause: .failures))
    }

    @Test(
        "after an operator closes the breaker, outcomes of earlier calls are ignored and one further failure opens it again"
    )
    func closedByOperator() throws {
        var breaker = CircuitBreaker()
        let early = try breaker.admit(now: start).get()
        try fail(&breaker, times: 5, now: start)
        breaker.close()
        #expect(breaker.status(now: start) == .closed)
        breaker.record(.failed, permit: early, now: start)
        #expect(breaker.status(now: start) == .closed)
        try fail(&breaker, times: 1, now: start)
        #expect(breaker.status(now: start) == .open(until: at(10), cause: .failures))
    }

    @Test("after a successful call, it again takes five failures to open a breaker that an operator closed")
    func healthyAfterOperator() throws {
        var breaker = CircuitBreaker()
        try fail(&breaker, times: 5, now: start)
        breaker.close()
        breaker.record(.healthy, permit: try breaker.admit(now: start).get(), now: start)
        try fail(&breaker, times: 4, now: start)
        #expect(breaker.status(now: start) == .closed)
    }

    @Test("when an operator closes the breaker, the pause for an exhausted quota is reset")
    func closedQuota() throws {
        var breaker = CircuitBreaker()
        for _ in 0..<2 {
            breaker.record(.quotaExhausted(reset: nil), permit: try breaker.admit(now: start).get(), now: start)
            breaker.close()
        }
        breaker.record(.quotaExhausted(reset: nil), permit: try breaker.admit(now: start).get(), now: start)
        #expect(breaker.status(now: start) == .open(until: at(60), cause: .quota))
    }

    @Test("after an inconclusive probe, another probe can start immediately")
    func abandonedProbe() throws {
        var breaker = CircuitBreaker()
        try fail(&breaker, times: 5, now: start)
        breaker.record(.abandoned, permit: try breaker.admit(now: at(10)).get(), now: at(11))
        #expect(breaker.status(now: at(11)) == .halfOpen(cause: .failures))
        #expect(try breaker.admit(now: at(11)).get().isProbe)
    }

    @Test("an exhausted quota opens the breaker immediately for 60 s, then each time for twice as long, up to an hour")
    func quotaDoubles() throws {
        var breaker = CircuitBreaker()
        var now = start
        for pause in [60, 120, 240, 480, 960, 1920, 3600, 3600] {
            breaker.record(.quotaExhausted(reset: nil), permit: try breaker.admit(now: now).get(), now: now)
            #expect(breaker.status(now: now) == .open(until: now.advanced(by: .seconds(pause)), cause: .quota))
            now = now.advanced(by: .seconds(pause))
        }
        breaker.record(.healthy, permit: try breaker.admit(now: now).get(), now: now)
        breaker.record(.quotaExhausted(reset: nil), permit: try breaker.admit(now: now).get(), now: now)
        #expect(breaker.status(now: now) == .open(until: now.advanced(by: .seconds(60)), cause: .quota))
    }

    @Test(
        "a lasting refusal opens the breaker immediately, with the same pauses as an exhausted quota, and its cause stays known during a probe"
    )
    func refusalDoubles() throws {
        var breaker = CircuitBreaker()
        let refusal = LastingRefusal(.key, setting: "BOOKSTRACK_X_API_KEY")
        var now = start
        for pause in [60, 120, 240, 480, 960, 1920, 3600, 3600] {
            let permit = try breaker.admit(now: now).get()
            if permit.isProbe { #expect(breaker.status(now: now) == .halfOpen(cause: .refusal(refusal))) }
            breaker.record(.refused(refusal), permit: permit, now: now)
            let end = now.advanced(by: .seconds(pause))
            #expect(breaker.status(now: now) == .open(until: end, cause: .refusal(refusal)))
            now = end
        }
        breaker.record(.healthy, permit: try breaker.admit(now: now).get(), now: now)
        #expect(breaker.status(now: now) == .closed)
    }

    @Test("if the quota's reset time is known, the breaker stays open until then")
    func quotaReset() throws {
        var breaker = CircuitBreaker()
        breaker.record(.quotaExhausted(reset: at(40_000)), permit: try breaker.admit(now: start).get(), now: start)
        #expect(breaker.admit(now: at(39_999)) == .failure(.init(retryAfter: .seconds(1), cause: .quota)))
        #expect(try breaker.admit(now: at(40_000)).get().isProbe)
    }

    @Test("a call that began before the breaker opened cannot close it, but can report an exhausted quota")
    func lateVerdicts() throws {
        var breaker = CircuitBreaker()
        let late = try breaker.admit(now: start).get()
        try fail(&breaker, times: 5, now: start)
        #expect(!breaker.stillAdmits(late))
        breaker.record(.healthy, permit: late, now: at(1))
        #expect(breaker.status(now: at(1)) == .open(until: at(10), cause: .failures))
        breaker.record(.quotaExhausted(reset: nil), permit: late, now: at(2))
        #expect(breaker.status(now: at(2)) == .open(until: at(62), cause: .quota))
        breaker.record(.quotaExhausted(reset: nil), permit: late, now: at(3))
        #expect(breaker.status(now: at(3)) == .open(until: at(62), cause: .quota))
    }
}
