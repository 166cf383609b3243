import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOPosix
import ServiceKit
import SuiteMethods
import Testing

@Suite("The health check of a service")
struct HealthCheckTests {
    @Test("a peer on the socket reads name, version and every dependency with its reason")
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
