import BookstrackContract
import Logging
import ServiceKit
import Testing

@Suite("Readiness of a process")
struct HealthReporterTests {
    let health = HealthReporter(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    @Test("a process that needs nothing is ready")
    func empty() {
        #expect(health.readiness.status == .ready)
    }

    @Test("the whole is as bad as its worst dependency, and follows it back")
    func worst() {
        health.report("storage", .ready, reason: "open")
        health.report("enrichment-worker", .degraded, reason: "not connected")
        #expect(health.readiness.status == .degraded)
        health.report("storage", .unavailable, reason: "disk is full")
        #expect(health.readiness.status == .unavailable)
        #expect(health.readiness.dependencies?.map(\.name) == ["storage", "enrichment-worker"])
        #expect(health.readiness.dependencies?.first?.reason == "disk is full")
        health.report("storage", .ready, reason: "open")
        health.report("enrichment-worker", .ready, reason: "connected")
        #expect(health.readiness.status == .ready)
    }

    @Test("a stopping process is unavailable whatever its dependencies are")
    func stopping() {
        health.report("storage", .ready, reason: "open")
        health.beginStopping()
        #expect(health.readiness.status == .unavailable)
    }
}
