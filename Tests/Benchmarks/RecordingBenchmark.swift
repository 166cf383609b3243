import ArgumentParser
import BookstrackContract
import Foundation
import SuiteFixture

/// The rate at which progress-host alone records items, in many concurrent jobs.
struct RecordingBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "recording", abstract: "Items recorded by one host")

    @Option(help: "Number of concurrent jobs.")
    var jobs = 100
    @Option(help: "Number of items in a job.")
    var items = 2_000

    func run() async throws {
        try await HostAlone.run { runtime in
            let rate = try await Self.rate(runtimeDirectory: runtime, jobs: jobs, items: items)
            Figure(
                name: "items recorded by one host, \(jobs) concurrent jobs", value: rate, unit: "/s", target: 20_000,
                direction: .atLeast, comparison: "limit 503 000 rows"
            ).report()
        }
    }

    /// Items per second from the first claim to the last commit.
    static func rate(runtimeDirectory: String, jobs: Int, items: Int) async throws -> Double {
        let puppet = try await WorkerPuppet(runtimeDirectory: runtimeDirectory)
        for _ in 0..<jobs { _ = try await puppet.createJob(.random(), count: items) }
        let total = jobs * items
        let started = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            var claimed = 0
            var inFlight = 0
            while claimed < total {
                let batch = try await puppet.claim(limit: 500)
                claimed += batch.count
                for start in stride(from: 0, to: batch.count, by: 64) {
                    if inFlight >= 32 {
                        try await group.next()
                        inFlight -= 1
                    }
                    group.addTask { try await puppet.record(batch[start..<min(start + 64, batch.count)]) }
                    inFlight += 1
                }
            }
            try await group.waitForAll()
        }
        let elapsed = ContinuousClock.now - started
        await puppet.disconnect()
        return Double(total) / elapsed.seconds
    }
}

/// A progress-host that runs without the other services.
enum HostAlone {
    /// Starts progress-host, passes its socket directory to `body`, and stops it.
    static func run(_ body: (_ runtimeDirectory: String) async throws -> Void) async throws {
        let directory = URL(filePath: "/tmp").appending(path: "bt-\(UInt32.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let host = ServiceProcess(
            .progressHost,
            environment: [
                "BOOKSTRACK_RUNTIME_DIR": directory.path, "BOOKSTRACK_DATA_DIR": directory.path,
                "BOOKSTRACK_LOG_LEVEL": "warning",
            ], logPath: directory.appending(path: "host.log").path)
        try await host.start()
        do {
            try await body(directory.path)
        } catch {
            await host.end()
            throw error
        }
        await host.end()
        try? FileManager.default.removeItem(at: directory)
    }
}
