import ArgumentParser
import NIOHTTP1
import SuiteFixture
import WireClient

/// The duration of a metrics scrape of all three services, without sockets and with many open sockets.
struct ScrapeBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "scrape", abstract: "Duration of a metrics scrape")

    @OptionGroup var idle: IdleSocketOptions
    @Option(help: "Number of timed scrapes.")
    var scrapes = 200

    func run() async throws {
        try await Suite.run(idle.suite(logLevel: "warning")) { suite in
            await suite.worker.end()
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            let jobs = try await IdleJob.create(idle.jobs, puppet)
            // The claimed items are held until their leases expire, so no job ends.
            while try await !puppet.claim(limit: 500).isEmpty {}
            try await suite.worker.start()
            try await suite.waitUntilReady()
            try await time("without sockets", suite)
            let open = try await IdleConnections.open(idle, of: jobs, suite)
            try await time("with \(idle.sockets) \(idle.kind)s", suite, target: 50_000)
            await open.cut()
            await puppet.disconnect()
        }
    }

    private func time(_ situation: String, _ suite: Suite, target: Double? = nil) async throws {
        let http = HTTPClient(address: suite.adminAddress)
        var latencies = Latencies()
        var bytes = 0
        for _ in 0..<scrapes {
            let start = ContinuousClock.now
            bytes = try await http.send(HTTPCall(.GET, "/metrics")).text.utf8.count
            latencies.record(.now - start)
        }
        await http.shutdown()
        latencies.report("scrape \(situation)", p99: target)
        Figure(name: "scrape \(situation), size", value: Double(bytes) / 1_024, unit: "KiB").report()
    }
}
