import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import ServiceKit
import SuiteMethods
import Testing

@Suite("Process readiness")
struct HealthReporterTests {
    let health = HealthReporter(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    @Test("a process without dependencies is ready")
    func empty() {
        #expect(health.readiness.status == .ready)
    }

    @Test("a process has the status of its worst dependency, and recovers with it")
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

    @Test("a change of the status, or of the reason why a dependency is not ready, is announced")
    func changes() {
        let summaries = NIOLockedValueBox<[String]>([])
        let health = HealthReporter(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) { report in
            summaries.withLockedValue { $0.append(report.summary) }
        }
        health.report("storage", .ready, reason: "open")
        health.report("storage", .ready, reason: "writable")
        health.report("storage", .unavailable, reason: "disk is full")
        health.report("storage", .unavailable, reason: "disk is full")
        health.report("storage", .unavailable, reason: "I/O error")
        #expect(
            summaries.withLockedValue(\.self) == [
                "ready", "unavailable (storage: disk is full)", "unavailable (storage: I/O error)",
            ])
    }

    @Test("a dependency that has been removed does not affect readiness")
    func withdrawn() {
        health.report("storage", .ready, reason: "open")
        health.report("reader", .degraded, reason: "it cannot be reached")
        health.withdraw("reader")
        health.withdraw("reader")
        #expect(health.readiness.status == .ready)
        #expect(health.readiness.dependencies?.map(\.name) == ["storage"])
    }

    @Test("a stopping process is unavailable, whatever the state of its dependencies")
    func stopping() {
        health.report("storage", .ready, reason: "open")
        health.beginStopping()
        #expect(health.readiness.status == .unavailable)
    }
}

@Suite("Service health checks")
struct HealthCheckTests {
    @Test("a health check over the socket returns the name, the version and every dependency with its reason")
    func overTheSocket() async throws {
        let scratch = try ScratchDirectory()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let health = HealthReporter(logger: logger)
        health.report("progress-host", .unavailable, reason: "not connected")
        var router = RPCRouter()
        router.answerHealthChecks(of: .enrichmentWorker, from: health)
        let group = MultiThreadedEventLoopGroup.singleton
        let path = scratch.path + "/s.sock"
        let server = try await RPCServer.bind(
            path: path, router: router, allowedUIDs: [getuid()], group: group, logger: logger)
        let client = RPCClient(path: path, router: RPCRouter(), group: group, logger: logger, pingInterval: nil)
        async let running: Void = client.run()
        try await client.waitUntilConnected(within: .seconds(60))
        let answer = try await client.call(HealthCheck.self, Nothing(), deadline: .seconds(60))
        #expect(answer.service == .enrichmentWorker)
        #expect(answer.version == SuiteVersion.text)
        #expect(answer.readiness.status == .unavailable)
        #expect(answer.readiness.dependencies?.map(\.reason) == ["not connected"])
        await client.shutdown()
        await running
        await server.shutdown()
    }
}

@Suite("One-line readiness summaries")
struct ReadinessSummaryTests {
    @Test("a readiness summary lists only problems, with their reasons")
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
