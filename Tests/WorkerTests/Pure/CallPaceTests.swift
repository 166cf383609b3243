import ProviderHTTP
import Testing

@testable import EnrichmentWorker

@Suite("The pace of requests")
struct CallPaceTests {
    @Test("after each request the pace is closed for the spacing, counted from that request")
    func spacing() {
        let start = MonotonicInstant(sinceStart: .seconds(5))
        var pace = CallPace(spacing: .milliseconds(343), now: start)
        #expect(pace.isOpen(start))
        let late = start.advanced(by: .seconds(2))
        pace.close(late)
        #expect(!pace.isOpen(late.advanced(by: .milliseconds(342))))
        #expect(pace.isOpen(late.advanced(by: .milliseconds(343))))
        #expect(pace.next == late.advanced(by: .milliseconds(343)))
    }
}
