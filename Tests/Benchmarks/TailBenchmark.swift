import ArgumentParser
import BookstrackContract
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import Observability
import SuiteFixture
import SuiteMethods
import Synchronization
import WireClient

/// The effect that followers of api-proxy's events have on its clients.
struct TailBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail", abstract: "Requests with no follower, with one, with ten, and with one that does not read")

    @Option(help: "Requests per second.")
    var rate = 5_000
    @Option(help: "Duration of each measurement, in seconds.")
    var seconds = 5
    @Option(help: "Number of rounds; each round measures every case.")
    var rounds = 3

    /// The followers during a measurement.
    private enum Audience: CaseIterable {
        case none, one, ten, stuck

        var name: String {
            switch self {
            case .none: "no follower"
            case .one: "1 tail"
            case .ten: "10 tails"
            case .stuck: "1 stuck tail"
            }
        }
    }

    func run() async throws {
        // The access log is on, as by default: one line per request.
        try await Suite.run(Suite.Options(settings: ["BOOKSTRACK_LOG_LEVEL": "info"])) { suite in
            _ = try await measure(.none, at: suite)
            var medians: [Audience: [Double]] = [:]
            var tails: [Audience: [Double]] = [:]
            for _ in 0..<rounds {
                for audience in Audience.allCases {
                    let latencies = try await measure(audience, at: suite)
                    medians[audience, default: []].append(latencies.microseconds(50))
                    tails[audience, default: []].append(latencies.microseconds(99))
                }
            }
            for (name, values) in [("p50", medians), ("p99", tails)] {
                let alone = Self.middle(values[.none])
                for audience in Audience.allCases {
                    let value = Self.middle(values[audience])
                    Figure(name: "request at \(rate)/s, \(audience.name), \(name)", value: value, unit: "us").report()
                    Figure(name: "  relative to no tail", value: value / alone, unit: "x").report()
                }
            }
        }
    }

    private static func middle(_ values: [Double]?) -> Double { values?.sorted()[(values?.count ?? 0) / 2] ?? 0 }

    private func measure(_ audience: Audience, at suite: Suite) async throws -> Latencies {
        var followers: [CountingFollower] = []
        var stuck: StuckFollower?
        switch audience {
        case .none: break
        case .one, .ten:
            for _ in 0..<(audience == .one ? 1 : 10) {
                followers.append(try await CountingFollower(.apiProxy, in: suite.runtimeDirectory))
            }
        case .stuck: stuck = try await StuckFollower(.apiProxy, in: suite.runtimeDirectory)
        }
        let before = try KernelUsage(of: suite.proxy).processorSeconds
        let latencies = try await Paced.run(count: rate * seconds, perSecond: rate) {
            let answer = try await suite.http.send(HTTPCall(.GET, "/health/live"))
            guard answer.status == 200 else { throw ServiceProcess.Failure(description: answer.text) }
        }
        let usage = try KernelUsage(of: suite.proxy).processorSeconds - before
        print(
            "  \(audience.name): \(Figure.format(usage / Double(rate * seconds) * 1e6)) us of CPU time in api-proxy per request"
        )
        for follower in followers {
            guard follower.bytes > 0 else { throw ServiceProcess.Failure(description: "a follower received nothing") }
            await follower.leave()
        }
        await stuck?.leave()
        return latencies
    }
}

/// A follower that discards all events, so only the service's side is measured.
final class CountingFollower: Sendable {
    private let client: RPCClient
    private let running: Task<Void, Never>
    private let received: Received

    private final class Received: Sendable {
        let bytes = Atomic<Int>(0)
    }

    /// Follows all events.
    init(_ service: ServiceInstance, in runtimeDirectory: String) async throws {
        let received = Received()
        self.received = received
        var router = RPCRouter()
        router.onRaw(TailEvents.name) { raw, _ in received.bytes.add(raw.readableBytes, ordering: .relaxed) }
        client = RPCClient(
            path: "\(runtimeDirectory)/\(service.socketName)", router: router,
            group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "follower") { _ in SwiftLogNoOpLogHandler() }, pingInterval: nil)
        running = Task { [client] in await client.run() }
        try await client.waitUntilConnected(within: .seconds(10))
        _ = try await client.call(SubscribeToTail.self, .init(filter: TailFilter(), replay: nil))
    }

    /// Bytes of events received so far.
    var bytes: Int { received.bytes.load(ordering: .relaxed) }

    func leave() async {
        await client.shutdown()
        await running.value
    }
}
