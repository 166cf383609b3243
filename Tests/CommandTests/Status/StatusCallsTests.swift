import Foundation
import JSONRPC
import Logging
import NIOPosix
import ServiceKit
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("Asking services how they are")
struct StatusCallsTests {
    @Test("who listens answers; a missing, an abandoned and an older service are told apart from it")
    func reports() async throws {
        let folder = "/tmp/bt-status-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let directories = try SuiteDirectories(
            Settings.load(
                arguments: [], environment: ["BOOKSTRACK_RUNTIME_DIR": folder, "BOOKSTRACK_DATA_DIR": folder]))
        func listen(_ service: ServiceInstance, _ router: RPCRouter) async throws -> RPCServer {
            try await RPCServer.bind(
                path: directories.socket(of: service), router: router, allowedUIDs: [getuid()],
                group: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }
        var router = RPCRouter()
        router.handle(ReadStatus.self) { _, _ in SampleReports.host }
        let host = try await listen(.progressHost, router)
        let older = try await listen(.enrichmentWorker, RPCRouter())
        let reports = await StatusCalls(directories: directories).reports()
        #expect(reports.map(\.state) == ["ready", "down", "down"])
        #expect(reports.map(\.service) == [.progressHost, .enrichmentWorker, .apiProxy])
        #expect(reports[0].status?.host?.jobs.leased == 250)
        #expect(reports[2].reasons.first?.contains("there is no such socket") == true)
        let second = ServiceInstance.worker(WorkerName("second")!)
        let worker = try await listen(second, router)
        let withSecond = await StatusCalls(directories: directories).reports()
        #expect(withSecond.map(\.service) == [.progressHost, .enrichmentWorker, second, .apiProxy])
        #expect(withSecond.map(\.state) == ["ready", "down", "ready", "down"])
        await worker.shutdown()
        await host.shutdown()
        await older.shutdown()
    }
}
