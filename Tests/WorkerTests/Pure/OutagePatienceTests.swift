import ProviderHTTP
import Testing

@testable import EnrichmentWorker

@Suite("Waiting for a provider that fails")
struct OutagePatienceTests {
    private static func second(_ seconds: Int) -> MonotonicInstant { MonotonicInstant(sinceStart: .seconds(seconds)) }

    private static func open(until seconds: Int) -> BreakerStatus { .open(until: second(seconds), cause: .failures) }

    private var patience = OutagePatience()

    @Test("an open breaker is waited for until its probe")
    mutating func waits() {
        #expect(
            patience.verdict(on: .openLibrary, Self.open(until: 10), callsInFlight: 0, now: Self.second(0))
                == .wait(until: Self.second(10)))
        #expect(patience.verdict(on: .googleBooks, .closed, callsInFlight: 3, now: Self.second(0)) == .ask)
    }

    @Test("one call probes, and the others wait for its outcome")
    mutating func probes() {
        _ = patience.verdict(on: .openLibrary, Self.open(until: 10), callsInFlight: 0, now: Self.second(0))
        let half = BreakerStatus.halfOpen(cause: .failures)
        #expect(patience.verdict(on: .openLibrary, half, callsInFlight: 0, now: Self.second(10)) == .ask)
        #expect(patience.verdict(on: .openLibrary, half, callsInFlight: 1, now: Self.second(10)) == .waitForCall)
    }

    @Test("after 30 s the others do without it, and after its return it is waited for anew")
    mutating func ends() {
        for start in [0, 10, 20] {
            let status = Self.open(until: start + 10)
            #expect(
                patience.verdict(on: .openLibrary, status, callsInFlight: 0, now: Self.second(start))
                    == .wait(until: Self.second(start + 10)))
        }
        #expect(
            patience.verdict(on: .openLibrary, Self.open(until: 40), callsInFlight: 0, now: Self.second(30)) == .ask)
        #expect(
            patience.verdict(on: .openLibrary, .halfOpen(cause: .failures), callsInFlight: 1, now: Self.second(31))
                == .ask)
        _ = patience.verdict(on: .openLibrary, .closed, callsInFlight: 0, now: Self.second(40))
        #expect(
            patience.verdict(on: .openLibrary, Self.open(until: 60), callsInFlight: 0, now: Self.second(50))
                == .wait(until: Self.second(60)))
    }

    @Test("an exhausted quota is not waited for")
    mutating func quota() {
        let status = BreakerStatus.open(until: Self.second(60), cause: .quota)
        #expect(patience.verdict(on: .googleBooks, status, callsInFlight: 0, now: Self.second(0)) == .ask)
    }
}
