import ArgumentParser
import SuiteFixture

/// Memory of the three services with nothing to do.
struct MemoryBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "memory", abstract: "Memory at rest")

    func run() async throws {
        try await Suite.run { suite in
            try await Task.sleep(for: .seconds(3))
            var total = 0.0
            for process in [suite.proxy, suite.host, suite.worker] {
                total += Double(try ProcessUsage(pid: process.pid ?? 0).resident) / 1_000_000
            }
            Figure(name: "memory of the three services at rest", value: total, unit: "MB", reach: 100).report()
        }
    }
}
