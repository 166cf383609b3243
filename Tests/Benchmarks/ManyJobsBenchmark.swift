import ArgumentParser
import BookstrackContract
import JSONRPC
import SuiteFixture
import SuiteMethods
import WireClient

/// Many small jobs that are started over HTTP concurrently, and whose books the worker looks up.
struct ManyJobsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "many",
        abstract: "2 000 jobs of 10 books over HTTP with the worker and an emulator without latency")

    @Option(help: "Number of jobs.")
    var jobs = 2_000
    @Option(help: "Number of books in each job; no two jobs share an ISBN.")
    var books = 10
    @Option(help: "Number of concurrent starts.")
    var atOnce = 16

    func run() async throws {
        let options = Suite.Options(
            settings: ["BOOKSTRACK_MAX_BATCH_BOOKS": "10000", "BOOKSTRACK_LOG_LEVEL": "warning"],
            emulatorArguments: ["--synthetic", "\(jobs * books)"])
        try await Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(jobs * books)
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            let before = try processors(suite)
            let started = ContinuousClock.now
            try await start(isbns, suite)
            let startedAll = ContinuousClock.now
            while try await openJobs(puppet) > 0 { try await Task.sleep(for: .milliseconds(20)) }
            let seconds = (ContinuousClock.now - started).seconds
            let after = try processors(suite)
            Figure(
                name: "\(jobs) jobs x \(books) books", value: Double(jobs * books) / seconds, unit: "books/s",
                target: 2_500, direction: .atLeast, comparison: "as one job (bulk): 5 600 to 7 100"
            ).report()
            Figure(name: "    until the last job was started", value: (startedAll - started).seconds, unit: "s")
                .report()
            for (index, process) in ["api-proxy", "progress-host", "enrichment-worker", "emulator"].enumerated() {
                Figure(
                    name: "    CPU time in \(process)", value: after[index] - before[index], unit: "s"
                ).report()
            }
            print("    emulator: \(try await suite.emulator.stats())")
            await puppet.disconnect()
        }
    }

    private func start(_ isbns: [String], _ suite: Suite) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for job in 0..<jobs {
                if job >= atOnce { try await group.next() }
                let rows = isbns[job * books..<(job + 1) * books].map { BookQuery(isbn: $0) }
                group.addTask { _ = try await suite.api.start(EnrichmentBatchRequest(books: rows)) }
            }
            try await group.waitForAll()
        }
    }

    private func openJobs(_ puppet: WorkerPuppet) async throws -> Int {
        let jobs = try await puppet.client.call(ReadStatus.self, .init()).host?.jobs
        return (jobs?.pending ?? 0) + (jobs?.processing ?? 0)
    }

    private func processors(_ suite: Suite) throws -> [Double] {
        try [suite.proxy, suite.host, suite.worker, suite.emulator.process].map {
            try KernelUsage(of: $0).processorSeconds
        }
    }
}
