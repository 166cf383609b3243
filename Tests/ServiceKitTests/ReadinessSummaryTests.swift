import BookstrackContract
import ServiceKit
import Testing

@Suite("Readiness in one line")
struct ReadinessSummaryTests {
    @Test("what is wrong is named with its reason, what is well is not")
    func summaries() {
        #expect(ReadinessReport(status: .ready).summary == "ready")
        let report = ReadinessReport(
            status: .degraded,
            dependencies: [
                .init(name: "progress-host", status: .ready, reason: "connected"),
                .init(name: "enrichment-worker", status: .degraded, reason: "not connected"),
            ])
        #expect(report.summary == "degraded (enrichment-worker: not connected)")
    }
}
