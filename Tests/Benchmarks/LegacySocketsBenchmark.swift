import ArgumentParser
import BookstrackContract
import NIOCore
import SuiteFixture
import WireClient

/// Clients of the v1 dialect that reconnect to large finished jobs: each one is sent the job's works in a single frame of up to 1 MiB, which
/// should not delay other clients' live frames.
struct LegacySocketsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "legacy", abstract: "v1 sockets of large finished jobs, alongside live frames")

    @Option(help: "Number of sockets per second.")
    var rate = 16
    @Option(help: "Number of books in each finished job.")
    var books = 3_000
    @Option(help: "Duration of the live frames, in seconds; 200 frames a second over 20 jobs.")
    var seconds = 15

    func run() async throws {
        var options = DeliveryBenchmark.options
        options.settings["BOOKSTRACK_LEGACY_TOKENLESS"] = "true"
        options.settings["BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS"] = "5000"
        try await Suite.run(options) { suite in
            await suite.worker.end()
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            var jobs: [JobID] = []
            for _ in 0..<4 { jobs.append(try await puppet.finishJob(count: books)) }
            await puppet.disconnect()
            let undisturbed = try await frames(suite)
            async let received = comeBack(to: jobs, suite)
            let disturbed = try await frames(suite)
            let bytes = try await received
            Figure(name: "v1 sockets that were served", value: Double(bytes.count), unit: "").report()
            Figure(
                name: "bytes each", value: Double(bytes.reduce(0, +)) / Double(bytes.count) / 1_048_576, unit: "MiB"
            ).report()
            undisturbed.report("item recorded -> frame received, undisturbed")
            disturbed.report("item recorded -> frame received, with v1 sockets")
            Figure(
                name: "p50 with v1 sockets, relative to the undisturbed one",
                value: disturbed.microseconds(50) / undisturbed.microseconds(50), unit: "x", target: 2
            ).report()
        }
    }

    private func frames(_ suite: Suite) async throws -> Latencies {
        try await DeliveryBenchmark.latencies(suite, jobs: 20, rate: 200, seconds: seconds)
    }

    /// Opens sockets while frames are measured; returns the number of bytes that each socket received until it was
    /// closed.
    private func comeBack(to jobs: [JobID], _ suite: Suite) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            let begun = ContinuousClock.now
            for number in 0..<(rate * seconds) {
                try await Task.sleep(
                    until: begun + .nanoseconds(Int64(number) * 1_000_000_000 / Int64(rate)), clock: .continuous)
                let path = "/ws/progress?jobId=\(jobs[number % jobs.count])"
                group.addTask {
                    let socket = try await ProgressSocket.connect(to: suite.address, path: path)
                    var bytes = 0
                    for await event in socket.events { bytes += event.message?.readableBytes ?? 0 }
                    return bytes
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
