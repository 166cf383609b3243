import ArgumentParser
import BookstrackContract
import Foundation
import NIOCore
import NIOPosix
import ProgressClient

/// Reads results of jobs, all at once, and prints what came of it as JSON.
struct ResultsReader: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "read-results", shouldDisplay: false)

    @Option var port: Int
    @Option(help: "A job and how often it is read, as JOB:NUMBER.")
    var read: [String] = []

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let client = HTTPClient(
            address: ServerAddress(host: "127.0.0.1", port: port), group: group,
            limits: HTTPClientLimits(maximumIdleConnections: 0))
        var jobs: [(id: JobID, size: Int, readings: Int)] = []
        for pair in read.map({ $0.split(separator: ":") }) {
            guard pair.count == 2, let id = JobID(String(pair[0])), let readings = Int(pair[1]) else {
                throw ValidationError("--read takes JOB:NUMBER")
            }
            jobs.append((id, try await ReadingOutcomes.size(of: id, client), readings))
        }
        let begun = ContinuousClock.now
        var outcomes = await withTaskGroup(of: ReadingOutcomes.self) { group in
            for job in jobs {
                for _ in 0..<job.readings { group.addTask { await .read(job.id, size: job.size, client) } }
            }
            return await group.reduce(into: ReadingOutcomes()) { $0 += $1 }
        }
        outcomes.seconds = (ContinuousClock.now - begun) / .seconds(1)
        print(String(decoding: try JSONEncoder().encode(outcomes), as: UTF8.self))
        await client.shutdown()
        try await group.shutdownGracefully()
    }
}

/// What became of readings.
struct ReadingOutcomes: Codable, Sendable {
    var whole = 0
    var refused = 0
    var bytes = 0
    /// How long all of them took.
    var seconds = 0.0
    /// Everything else, by what it was.
    var faults: [String: Int] = [:]

    var broken: Int { faults.values.reduce(0, +) }

    static func += (all: inout Self, one: Self) {
        all.whole += one.whole
        all.refused += one.refused
        all.bytes += one.bytes
        all.faults.merge(one.faults, uniquingKeysWith: +)
    }

    /// Length of a job's results.
    static func size(of job: JobID, _ client: HTTPClient) async throws -> Int {
        try await client.send(call(job)).body.readableBytes
    }

    /// Reads a job's results once, whose length is known but for the digits of some times.
    static func read(_ job: JobID, size: Int, _ client: HTTPClient) async -> Self {
        var outcome = ReadingOutcomes()
        do {
            let answer = try await client.send(call(job))
            outcome.bytes = answer.body.readableBytes
            if answer.status == 200, abs(outcome.bytes - size) < 64 {
                outcome.whole = 1
            } else if answer.status == 503, answer.retryAfterSeconds != nil {
                outcome.refused = 1
            } else {
                outcome.faults["\(answer.status) with \(outcome.bytes) bytes"] = 1
            }
        } catch {
            outcome.faults["\(error)"] = 1
        }
        return outcome
    }

    private static func call(_ job: JobID) -> HTTPCall { .get(APIPath.results(job), timeout: .seconds(300)) }
}
