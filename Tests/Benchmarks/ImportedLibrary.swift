import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import SuiteFixture
import WireClient

/// The import of a large library with its linked enrichment, and the latency of concurrent one-book jobs.
struct ImportedLibrary {
    /// Number of measured reads of the small library's results; those of the large library are read a tenth as often.
    private static let readings = 40
    /// Number of books in the small library, which is imported without an enrichment.
    private static let smallLibrary = 1_000
    /// Number of one-book jobs that run alone, and of those that run during the enrichment.
    private static let singles = 200
    /// Requests to Open Library per second. Without a limit, the enrichment would use all CPUs, and the benchmark would
    /// measure the machine instead.
    private static let rate = 20

    let rows: Int

    func run() async throws {
        let books = rows + 2 * Self.singles
        let options = Suite.Options(
            settings: [
                "BOOKSTRACK_LOG_LEVEL": "warning", "BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND": "\(Self.rate)",
            ], emulatorArguments: ["--synthetic", "\(books)"])
        try await Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(books)
            let rest = isbns[rows...]
            let alone = try await singles(rest.prefix(Self.singles), on: suite)
            let enrichment = try await importLibrary(Array(isbns[..<rows]), on: suite)
            let beside = try await singles(rest.suffix(Self.singles), on: suite)
            let state = try await suite.api.state(of: enrichment.jobId, token: enrichment.token)
            alone.report("one-book job, start -> complete, alone")
            beside.report("one-book job, start -> complete, during enrichment")
            Figure(
                name: "books of the enrichment still open after these jobs",
                value: Double(state.totalCount - state.processedCount),
                unit: ""
            ).report()
            Figure(
                name: "p99 during enrichment, relative to alone",
                value: beside.microseconds(99) / alone.microseconds(99), unit: "x", target: 2
            ).report()
            let cancelled = ContinuousClock.now
            _ = try await suite.api.cancel(enrichment.jobId, token: enrichment.token)
            Figure(
                name: "cancellation of the linked enrichment answered",
                value: (ContinuousClock.now - cancelled).seconds * 1_000, unit: "ms"
            ).report()
            try await readSmall(Array(isbns.prefix(Self.smallLibrary)), on: suite)
            for (name, process) in [
                ("api-proxy", suite.proxy), ("progress-host", suite.host), ("worker", suite.worker),
            ] {
                let peak = try KernelUsage(of: process).peak
                Figure(name: "peak memory of \(name)", value: Double(peak) / 1_000_000, unit: "MB").report()
            }
        }
    }

    /// Imports a library and reads its results. Returns the linked job, which has started.
    private func importLibrary(_ isbns: [String], on suite: Suite) async throws -> StartedImport.Enrichment {
        let file = ByteBuffer(string: GoodreadsFile.text(isbns))
        let begun = ContinuousClock.now
        let started = try await start(file, enrich: true, on: suite)
        let size = "\(isbns.count) rows, \(file.readableBytes / 1_000_000) MB"
        Figure(name: "POST -> 202 (\(size))", value: (ContinuousClock.now - begun).seconds * 1_000, unit: "ms").report()
        _ = try await suite.completion(of: started.jobId, started.token)
        var first = Latencies()
        first.record(try await ResultsProbe.read(started.jobId, at: suite.address).firstByte)
        Figure(name: "POST -> results readable", value: (ContinuousClock.now - begun).seconds, unit: "s", target: 1)
            .report()
        var whole = Latencies()
        for _ in 0..<Self.readings / 10 {
            let reading = try await ResultsProbe.read(started.jobId, at: suite.address)
            first.record(reading.firstByte)
            whole.record(reading.whole)
        }
        Figure(
            name: "results of \(isbns.count) books, first byte, p95", value: first.microseconds(95) / 1_000, unit: "ms",
            target: 50
        ).report()
        Figure(
            name: "results of \(isbns.count) books, complete, p95", value: whole.microseconds(95) / 1_000, unit: "ms"
        ).report()
        guard let enrichment = started.enrichment else {
            throw ServiceProcess.Failure(description: "the import has no linked job")
        }
        return enrichment
    }

    private func readSmall(_ isbns: [String], on suite: Suite) async throws {
        let started = try await start(ByteBuffer(string: GoodreadsFile.text(isbns)), enrich: false, on: suite)
        _ = try await suite.completion(of: started.jobId, started.token)
        var whole = Latencies()
        for _ in 0..<Self.readings { whole.record(try await ResultsProbe.read(started.jobId, at: suite.address).whole) }
        Figure(
            name: "results of \(isbns.count) books, complete, p95", value: whole.microseconds(95) / 1_000, unit: "ms",
            target: 50
        ).report()
    }

    private func start(_ file: ByteBuffer, enrich: Bool, on suite: Suite) async throws -> StartedImport {
        try await suite.api.answer(
            to: HTTPCall(
                .POST, "/v1/csv/import?enrich=\(enrich)", headers: ["Content-Type": "text/csv"], body: file,
                timeout: .seconds(60)))
    }

    /// Runs one-book jobs, one after the other.
    private func singles(_ isbns: ArraySlice<String>, on suite: Suite) async throws -> Latencies {
        var latencies = Latencies()
        for isbn in isbns {
            let begun = ContinuousClock.now
            let job = try await suite.api.start(EnrichmentBatchRequest(books: [BookQuery(isbn: isbn)]))
            _ = try await suite.completion(of: job.jobId, job.token)
            latencies.record(ContinuousClock.now - begun)
        }
        return latencies
    }
}

/// One timed read of an import's results on a new connection.
struct ResultsProbe {
    /// The times from the request to the first and to the last byte of the response.
    private(set) var firstByte: Duration
    private(set) var whole: Duration

    private final class Timer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        let firstByte: EventLoopPromise<ContinuousClock.Instant>

        init(_ firstByte: EventLoopPromise<ContinuousClock.Instant>) { self.firstByte = firstByte }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { firstByte.succeed(.now) }

        func channelInactive(context: ChannelHandlerContext) { firstByte.fail(ChannelError.eof) }
    }

    static func read(_ job: JobID, at address: ServerAddress) async throws -> ResultsProbe {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: ContinuousClock.Instant.self)
        let channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Timer(promise))
                }
            }
            .connect(host: address.host, port: address.port).get()
        let begun = ContinuousClock.now
        let request = "GET \(APIPath.importResults(job)) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        try await channel.writeAndFlush(ByteBuffer(string: request))
        let firstByte = try await promise.futureResult.get() - begun
        try await channel.closeFuture.get()
        return ResultsProbe(firstByte: firstByte, whole: ContinuousClock.now - begun)
    }
}
