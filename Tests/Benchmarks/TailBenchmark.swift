import ArgumentParser
import NIOHTTP1
import Observability
import ProgressClient
import SuiteFixture
import SuiteMethods

/// What following api-proxy costs those whom it serves.
struct TailBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail", abstract: "Requests while nobody follows, one does, ten do, and one is stuck")

    @Option(help: "Requests per second.")
    var rate = 5_000
    @Option(help: "Seconds of each measurement.")
    var seconds = 5
    @Option(help: "Times that each is measured, in turns.")
    var rounds = 3

    /// Who follows during a measurement.
    private enum Audience: CaseIterable {
        case nobody, one, ten, stuck

        var name: String {
            switch self {
            case .nobody: "nobody follows"
            case .one: "1 tail"
            case .ten: "10 tails"
            case .stuck: "1 stuck tail"
            }
        }
    }

    func run() async throws {
        // The access log is written as it is by default: a line of each request.
        try await Suite.run(Suite.Options(settings: ["BOOKSTRACK_LOG_LEVEL": "info"])) { suite in
            _ = try await measure(.nobody, at: suite)
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
                let alone = Self.middle(values[.nobody])
                for audience in Audience.allCases {
                    let value = Self.middle(values[audience])
                    Figure(name: "request at \(rate)/s, \(audience.name), \(name)", value: value, unit: "us").report()
                    Figure(name: "  of that without a tail", value: value / alone, unit: "x").report()
                }
            }
        }
    }

    private static func middle(_ values: [Double]?) -> Double { values?.sorted()[(values?.count ?? 0) / 2] ?? 0 }

    private func measure(_ audience: Audience, at suite: Suite) async throws -> Latencies {
        var followers: [CountingFollower] = []
        var stuck: StuckFollower?
        switch audience {
        case .nobody: break
        case .one, .ten:
            for _ in 0..<(audience == .one ? 1 : 10) {
                followers.append(try await CountingFollower(.apiProxy, in: suite.runtimeDirectory))
            }
        case .stuck: stuck = try await StuckFollower(.apiProxy, in: suite.runtimeDirectory)
        }
        let before = try ProcessUsage(pid: suite.proxy.pid ?? 0).processorSeconds
        let latencies = try await Paced.run(count: rate * seconds, perSecond: rate) {
            let answer = try await suite.http.send(HTTPCall(.GET, "/health/live"))
            guard answer.status == 200 else { throw ServiceProcess.Failure(description: answer.text) }
        }
        let usage = try ProcessUsage(pid: suite.proxy.pid ?? 0).processorSeconds - before
        print(
            "  \(audience.name): \(Figure.format(usage / Double(rate * seconds) * 1e6)) us of api-proxy's time per request"
        )
        for follower in followers {
            guard follower.bytes > 0 else { throw ServiceProcess.Failure(description: "a follower got nothing") }
            await follower.leave()
        }
        await stuck?.leave()
        return latencies
    }
}
