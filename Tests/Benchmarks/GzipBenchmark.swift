import ArgumentParser
import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import WireClient

/// Size and CPU time of compressed results, and of the same results uncompressed.
struct GzipBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gzip", abstract: "Results of a job, with and without gzip")

    @Option(help: "File with one ISBN per line; the ISBNs are repeated as often as needed.")
    var list = "deploy/sample/isbns.txt"
    @Option(help: "Number of books in the job.")
    var books = 100
    @Option(help: "Number of reads of each kind.")
    var readings = 2_000

    func run() async throws {
        let isbns = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
            .map { $0.prefix { $0 != "#" && $0 != " " } }.filter { !$0.isEmpty }
        let options = Suite.Options(settings: ["BOOKSTRACK_LOG_LEVEL": "warning"])
        try await Suite.run(options) { suite in
            // The repetitions are further apart than gzip's window (RFC 1951 §2), so they do not improve compression.
            let rows = (0..<books).map { BookQuery(isbn: String(isbns[$0 % isbns.count])) }
            let job = try await suite.api.start(EnrichmentBatchRequest(books: rows))
            while try await !suite.api.state(of: job.jobId, token: job.token).status.isTerminal {
                try await Task.sleep(for: .milliseconds(50))
            }
            // Facts about authors arrive after the end of the job.
            try await Task.sleep(for: .seconds(2))
            let path = APIPath.results(job.jobId)
            _ = try await measure(path, [:], suite)
            let plain = try await measure(path, [:], suite)
            let gzip = try await measure(path, ["Accept-Encoding": "gzip"], suite)
            for (name, outcome) in [("plain", plain), ("gzip", gzip)] {
                Figure(name: "results of \(books) books, \(name)", value: outcome.kibibytes, unit: "KiB").report()
                Figure(name: "  CPU time of api-proxy", value: outcome.microseconds, unit: "us").report()
                outcome.latencies.report("  one read")
            }
            Figure(name: "ratio of sizes", value: plain.kibibytes / gzip.kibibytes, unit: "x").report()
        }
    }

    private struct Outcome {
        var kibibytes: Double
        /// The CPU time of one read.
        var microseconds: Double
        var latencies: Latencies
    }

    private func measure(_ path: String, _ fields: HTTPHeaders, _ suite: Suite) async throws -> Outcome {
        let before = try KernelUsage(of: suite.proxy).processorSeconds
        var (bytes, latencies) = (0, Latencies())
        for _ in 0..<readings {
            let begun = ContinuousClock.now
            let answer = try await suite.http.send(HTTPCall(.GET, path, headers: fields))
            latencies.record(.now - begun)
            guard answer.status == 200 else { throw ServiceProcess.Failure(description: answer.text) }
            bytes = answer.body.readableBytes
        }
        let used = try KernelUsage(of: suite.proxy).processorSeconds - before
        return Outcome(
            kibibytes: Double(bytes) / 1_024, microseconds: used / Double(readings) * 1_000_000, latencies: latencies)
    }
}
