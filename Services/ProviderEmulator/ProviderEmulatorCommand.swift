import ArgumentParser
import BookIdentifiers
import Dispatch
import Foundation
import NIOPosix

@main
struct ProviderEmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider-emulator",
        abstract:
            "Emulates the HTTP APIs of Open Library, Google Books, ISBNdb, Wikidata, cover hosts and AI engines with its own catalog.",
        subcommands: [ServeCommand.self, ISBNListCommand.self],
        defaultSubcommand: ServeCommand.self)
}

/// Serves the emulated providers until it is stopped.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the emulated providers.",
        discussion: """
            Below http://127.0.0.1:PORT: Open Library at /openlibrary, Google Books at /googlebooks/books/v1, ISBNdb at /isbndb, \
            Wikidata at /wikidata, the cover hosts at /covers, Gemini at /gemini/v1beta, an OpenAI-compatible server at \
            /openai/v1, and the emulator's own routes (health, faults, log, stats) at /_emulator.
            """)

    @Option(help: "TCP port on 127.0.0.1; 0 for any free port.")
    var port = 0

    @Option(help: "Delay of every provider's response, in milliseconds.")
    var latency = 0

    @Option(help: "Maximum number of requests in the log.")
    var logLimit = 100_000

    @Option(help: "Seed for random faults.")
    var seed: UInt64 = 1

    @Flag(help: "Stop when the parent process has ended.")
    var exitWithParent = false

    @OptionGroup var catalog: CatalogOptions

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535.") }
        guard latency >= 0, logLimit > 0 else {
            throw ValidationError("--latency must not be negative, and --log-limit must be at least 1.")
        }
    }

    func run() async throws {
        let stop = StopCondition(watching: exitWithParent ? getppid() : nil)
        let stock = try catalog.sources.stock { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
        let emulator = Emulator(stock: stock, latency: .milliseconds(latency), logLimit: logLimit, seed: seed)
        let server = try await EmulatorServer.start(
            emulator, port: port, group: MultiThreadedEventLoopGroup.singleton.next())
        FileHandle.standardOutput.write(Data("listening on \(server.url)\n".utf8))
        await stop.reached()
        try await server.stop()
    }
}

/// Prints the ISBNs of the sample catalog or of synthetic books.
struct ISBNListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "isbns",
        abstract: "Print ISBNs, one per line: those of the sample catalog or, with --synthetic, of synthetic books.")

    @Option(help: "Print the ISBNs of this many synthetic books instead of those of the sample catalog.")
    var synthetic: Int?

    func run() throws {
        let isbns =
            if let synthetic {
                (0..<min(max(synthetic, 0), SyntheticCatalog.maximumCount)).compactMap(SyntheticCatalog.isbn)
            } else {
                SampleCatalog.books.map(\.isbn)
            }
        for isbn in isbns { print(isbn.isbn13) }
    }
}

/// Options for books in addition to the sample catalog.
struct CatalogOptions: ParsableArguments {
    @Option(help: "Add this many synthetic (made-up) books.")
    var synthetic = 0

    @Option(
        help:
            "Add the books in a folder of recorded responses, which contains api_responses, ol_dump and, optionally, wikidata_authors."
    )
    var recorded: String?

    @Option(help: "Add the books in a goodbooks-10k CSV file.")
    var goodbooks: String?

    @Option(help: "Share of the synthetic and goodbooks books that each provider has, 0 to 1.")
    var knownFraction = 1.0

    func validate() throws {
        guard (0...SyntheticCatalog.maximumCount).contains(synthetic) else {
            throw ValidationError("--synthetic must be from 0 to \(SyntheticCatalog.maximumCount).")
        }
        guard (0...1).contains(knownFraction) else { throw ValidationError("--known-fraction must be from 0 to 1.") }
    }

    var sources: CatalogSources {
        CatalogSources(
            synthetic: synthetic, recorded: recorded.map { URL(filePath: $0) },
            goodbooks: goodbooks.map { URL(filePath: $0) }, knownFraction: knownFraction)
    }
}

/// Ends the emulator at SIGTERM, SIGINT, or the end of its parent.
final class StopCondition {
    private static let parentCheck = DispatchTimeInterval.milliseconds(250)

    private let stops: AsyncStream<Void>
    private let sources: [any DispatchSourceProtocol]

    /// From now on, the signals no longer end the process by themselves.
    ///
    /// - Parameter parent: The process to watch; nil for none. Its end is detected by a change of the parent process ID, because Linux sends its
    ///   parent-death signal as soon as the parent's thread that started this process ends (prctl(2), PR_SET_PDEATHSIG).
    init(_ signals: [Int32] = [SIGTERM, SIGINT], watching parent: pid_t? = nil) {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        self.stops = stops
        let queue = DispatchQueue(label: "stop-condition")
        var sources: [any DispatchSourceProtocol] = signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { stop.yield() }
            return source
        }
        if let parent {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: Self.parentCheck)
            timer.setEventHandler { if getppid() != parent { stop.yield() } }
            sources.append(timer)
        }
        self.sources = sources
        for source in sources { Self.start(source) }
    }

    deinit { for source in sources { source.cancel() } }

    /// Waits until one of the conditions is met; returns immediately if this has already happened.
    func reached() async { _ = await stops.first { _ in true } }

    /// Starts a source and waits until libdispatch has registered it, which happens on another thread; until then, a signal still
    /// ends the process.
    private static func start(_ source: any DispatchSourceProtocol) {
        let registered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { registered.signal() }
        source.resume()
        registered.wait()
    }
}
