import ArgumentParser
import Foundation
import GRDB
import NIOHTTP1
import Subprocess
import SuiteFixture
import WireClient

/// Searches served from memory, from the worker's cache, and from the providers.
struct SearchBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Searches served from memory, from disk and from the providers")

    @Option(help: "Number of distinct books for the disk cache.")
    var books = 100_000
    @Option(help: "Number of entries to which the disk cache grows.")
    var entries = 1_000_000
    @Option(help: "Duration of each measurement, in seconds.")
    var seconds = 5
    @Option(help: "Latency of the emulated providers, in milliseconds.")
    var latency = 50

    func run() async throws {
        try await measureMemory()
        try await measureProviders()
        try await measureDisk()
    }

    private static func options(emulator: [String], settings: [String: String] = [:]) -> Suite.Options {
        Suite.Options(
            settings: ["BOOKSTRACK_LOG_LEVEL": "warning"].merging(settings) { $1 }, emulatorArguments: emulator)
    }

    private static func path(_ isbn: String) -> String { "/v1/search/isbn?isbn=\(isbn)" }

    /// Measures a search that is answered from api-proxy's memory, under full load and at a steady rate.
    private func measureMemory() async throws {
        try await Suite.run(Self.options(emulator: [])) { suite in
            let path = Self.path("9780441172719")
            try await Self.settle(path, at: suite)
            try await report(wrk: "http://\(suite.address.host):\(suite.address.port)\(path)")
            let latencies = try await Paced.run(count: 1_000 * seconds, perSecond: 1_000) {
                try await Self.search(path, at: suite)
            }
            latencies.report("cached search at 1 000/s", p50: 300, p99: 1_500)
        }
    }

    /// Repeats the search for ten seconds, so the authors become known and the response no longer changes.
    private static func settle(_ path: String, at suite: Suite) async throws {
        for _ in 0..<10 {
            try await search(path, at: suite)
            try await Task.sleep(for: .seconds(1))
        }
    }

    private static func search(_ path: String, at suite: Suite) async throws {
        let answer = try await suite.http.send(HTTPCall(.GET, path))
        guard answer.status == 200, answer.text.contains("\"works\":[{") else {
            throw ServiceProcess.Failure(description: "\(path): \(answer.status) \(answer.text.prefix(300))")
        }
    }

    private func report(wrk url: String) async throws {
        let run = try await Subprocess.run(
            .name("wrk"), arguments: ["-t1", "-c64", "-d\(seconds)s", "--latency", url],
            output: .string(limit: 65_536))
        let lines = run.standardOutput.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let rate = lines.first { $0.first == "Requests/sec:" }.flatMap { Double($0[1]) } ?? 0
        Figure(
            name: "cached search, wrk, 64 connections", value: rate, unit: "/s", target: 55_000, direction: .atLeast,
            comparison: "limit 60 000"
        ).report()
        let slowest = lines.first { $0.first == "99%" }.map { $0[1] } ?? "?"
        let milliseconds = Double(slowest.prefix { $0.isNumber || $0 == "." }) ?? 0
        let unit = slowest.hasSuffix("us") ? 0.001 : (slowest.hasSuffix("ms") ? 1 : 1_000)
        Figure(name: "cached search, wrk, p99", value: milliseconds * unit, unit: "ms", target: 4).report()
    }

    /// Measures searches that call providers, which respond after a delay.
    private func measureProviders() async throws {
        let count = 200
        let isbns = try await SyntheticBooks.isbns(count)
        let emulator = ["--synthetic", "\(count)", "--latency", "\(latency)"]
        try await Suite.run(Self.options(emulator: emulator)) { suite in
            var latencies = Latencies()
            for isbn in isbns {
                let begun = ContinuousClock.now
                try await Self.search(Self.path(isbn), at: suite)
                latencies.record(ContinuousClock.now - begun - .milliseconds(latency))
            }
            latencies.report("uncached search, in addition to the providers' \(latency) ms", p50: 3_000)
        }
    }

    /// Measures searches that find their results in the worker's database, because api-proxy has been restarted.
    private func measureDisk() async throws {
        let isbns = try await SyntheticBooks.isbns(books)
        let emulator = ["--synthetic", "\(books)"]
        let settings = ["BOOKSTRACK_CACHE_MAX_BYTES": "17179869184"]
        try await Suite.run(Self.options(emulator: emulator, settings: settings)) { suite in
            print("requesting \(books) books ...")
            try await Self.ask(isbns, at: suite)
            let few = try await diskLatencies(isbns, at: suite)
            few.report("search from disk, \(books) books", p99: 2_000)
            print("growing the cache to \(entries) entries ...")
            await suite.worker.end(SIGTERM)
            try Self.grow(suite.dataDirectory + "/cache.sqlite", to: entries)
            try await suite.worker.start()
            try await suite.waitUntilReady()
            let many = try await diskLatencies(isbns, at: suite)
            many.report("search from disk, \(entries) entries", p99: 2_000)
            for (name, percentile) in [("p50", 50.0), ("p99", 99.0)] {
                let ratio = many.microseconds(percentile) / few.microseconds(percentile)
                Figure(name: "search from disk, growth of \(name)", value: ratio, unit: "x", target: 1.2).report()
            }
        }
    }

    private static func ask(_ isbns: [String], at suite: Suite) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, isbn) in isbns.enumerated() {
                if index >= 64 { try await group.next() }
                group.addTask { try await search(path(isbn), at: suite) }
            }
            try await group.waitForAll()
        }
    }

    private func diskLatencies(_ isbns: [String], at suite: Suite) async throws -> Latencies {
        await suite.proxy.end(SIGTERM)
        try await suite.proxy.start()
        try await suite.waitUntilReady()
        let sample = isbns.shuffled().prefix(500 * seconds)
        var asked = sample.makeIterator()
        // Warm-up of connections and code.
        for _ in 0..<100 { if let isbn = asked.next() { try await Self.search(Self.path(isbn), at: suite) } }
        var latencies = Latencies()
        while let isbn = asked.next() {
            let begun = ContinuousClock.now
            try await Self.search(Self.path(isbn), at: suite)
            latencies.record(ContinuousClock.now - begun)
        }
        return latencies
    }

    /// Fills the cache with copies of its own entries under other keys.
    private static func grow(_ path: String, to entries: Int) throws {
        let database = try DatabaseQueue(path: path)
        try database.write { db in
            var count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM answer") ?? 0
            while count < entries {
                try db.execute(
                    sql: """
                        INSERT INTO answer(key, expires_at, used_at, stored_at, records)
                        SELECT key || '/' || ?, expires_at, used_at, stored_at, records FROM answer LIMIT ?
                        """, arguments: [count, entries - count])
                count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM answer") ?? 0
            }
        }
    }
}
