import BookMetadata
import BookstrackContract
import ProviderClient
import Testing
@testable import EnrichmentWorker

@Suite("Waiting for a failing provider")
struct OutageTimeoutTests {
    private static func second(_ seconds: Int) -> MonotonicInstant { MonotonicInstant(sinceStart: .seconds(seconds)) }

    private static func open(until seconds: Int) -> BreakerStatus { .open(until: second(seconds), cause: .failures) }

    private var timeout = OutageTimeout()

    @Test("while a provider's breaker is open, lookups wait for the probe")
    mutating func waits() {
        #expect(
            timeout.verdict(on: .openLibrary, Self.open(until: 10), callsInFlight: 0, now: Self.second(0))
                == .wait(until: Self.second(10)))
        #expect(timeout.verdict(on: .googleBooks, .closed, callsInFlight: 3, now: Self.second(0)) == .ask)
    }

    @Test("one call probes the failing provider, and other calls wait for its outcome")
    mutating func probes() {
        _ = timeout.verdict(on: .openLibrary, Self.open(until: 10), callsInFlight: 0, now: Self.second(0))
        let half = BreakerStatus.halfOpen(cause: .failures)
        #expect(timeout.verdict(on: .openLibrary, half, callsInFlight: 0, now: Self.second(10)) == .ask)
        #expect(timeout.verdict(on: .openLibrary, half, callsInFlight: 1, now: Self.second(10)) == .waitForCall)
    }

    @Test(
        "after 30 s, lookups continue without a failing provider, and if it recovers and fails again, they wait again")
    mutating func ends() {
        for start in [0, 10, 20] {
            let status = Self.open(until: start + 10)
            #expect(
                timeout.verdict(on: .openLibrary, status, callsInFlight: 0, now: Self.second(start))
                    == .wait(until: Self.second(start + 10)))
        }
        #expect(
            timeout.verdict(on: .openLibrary, Self.open(until: 40), callsInFlight: 0, now: Self.second(30)) == .ask)
        #expect(
            timeout.verdict(on: .openLibrary, .halfOpen(cause: .failures), callsInFlight: 1, now: Self.second(31))
                == .ask)
        _ = timeout.verdict(on: .openLibrary, .closed, callsInFlight: 0, now: Self.second(40))
        #expect(
            timeout.verdict(on: .openLibrary, Self.open(until: 60), callsInFlight: 0, now: Self.second(50))
                == .wait(until: Self.second(60)))
    }

    @Test("lookups wait again in a new outage, even if nothing was looked up since the previous one")
    mutating func later() {
        _ = timeout.verdict(on: .openLibrary, Self.open(until: 10), callsInFlight: 0, now: Self.second(0))
        #expect(
            timeout.verdict(on: .openLibrary, Self.open(until: 1_010), callsInFlight: 0, now: Self.second(1_000))
                == .wait(until: Self.second(1_010)))
        #expect(
            timeout.verdict(on: .openLibrary, .halfOpen(cause: .failures), callsInFlight: 1, now: Self.second(1_010))
                == .waitForCall)
    }

    @Test("a wait that ends late is not taken for a new outage")
    mutating func lateEnd() {
        _ = timeout.verdict(on: .openLibrary, Self.open(until: 30), callsInFlight: 0, now: Self.second(0))
        #expect(
            timeout.verdict(on: .openLibrary, Self.open(until: 50), callsInFlight: 0, now: Self.second(31)) == .ask)
    }

    @Test("lookups do not wait for a provider whose quota is exhausted")
    mutating func quota() {
        let status = BreakerStatus.open(until: Self.second(60), cause: .quota)
        #expect(timeout.verdict(on: .googleBooks, status, callsInFlight: 0, now: Self.second(0)) == .ask)
    }
}
