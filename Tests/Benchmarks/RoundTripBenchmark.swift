import ArgumentParser
import Foundation
import JSONRPC
import Logging
import NIOCore
import NIOPosix

/// JSON-RPC over a Unix socket, one call at a time, with messages of about 225 bytes.
struct RoundTripBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rpc", abstract: "JSON-RPC round trip")

    @Option(help: "Number of measured calls.")
    var calls = 50_000

    /// A call like those between the services.
    enum Echo: RPCMethod {
        struct Message: Codable, Sendable {
            var jobId: String
            var index: Int
            var title: String
            var author: String
            var isbn: String
        }
        typealias Parameters = Message
        typealias Result = Message
        static let name = "bench.echo"
        static let isIdempotent = true
        static let deadline = Duration.seconds(5)
    }

    func run() async throws {
        let path = NSTemporaryDirectory() + "bench-\(getpid()).sock"
        var logger = Logger(label: "bench")
        logger.logLevel = .error
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        var router = RPCRouter()
        router.handleInline(Echo.self) { message, _, reply in reply.succeed(message) }
        let server = try await RPCServer.bind(
            path: path, router: router, allowedUIDs: [getuid()], group: group, logger: logger)
        let client = RPCClient(path: path, router: RPCRouter(), group: group, logger: logger)
        let running = Task { await client.run() }
        try await client.waitUntilConnected(within: .seconds(5))
        let message = Echo.Message(
            jobId: "0f8fad5b-d9cb-469f-a165-70867728950e", index: 17, title: "The Left Hand of Darkness",
            author: "Ursula K. Le Guin", isbn: "9780441478125")
        var latencies = Latencies()
        for round in 0..<(calls + calls / 5) {
            let started = ContinuousClock.now
            _ = try await client.call(Echo.self, message)
            if round >= calls / 5 { latencies.record(ContinuousClock.now - started) }
        }
        latencies.report("JSON-RPC round trip", p50: 65, p99: 110, comparison: "elsewhere: limit p50 54, p99 74")
        try await MachineLimits.exchange().report("    limit: a bare exchange between two threads")
        await client.shutdown()
        await running.value
        await server.shutdown()
        try await group.shutdownGracefully()
    }
}
