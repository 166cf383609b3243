import ArgumentParser
import Foundation
import NIOPosix

/// Runs until it is told to stop.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the emulated providers.",
        discussion: """
            Below http://127.0.0.1:PORT: Open Library at /openlibrary, Google Books at /googlebooks/books/v1, ISBNdb at /isbndb, \
            Wikidata at /wikidata, the hosts of covers at /covers, and the emulator's own routes (health, faults, log, stats) \
            at /_emulator.
            """)

    @Option(help: "TCP port on 127.0.0.1; 0 for any free one.")
    var port = 0

    @Option(help: "Milliseconds that every provider's answer takes.")
    var latency = 0

    @Option(help: "How many requests the log keeps.")
    var logLimit = 100_000

    @Option(help: "Decides how faults by probability fall.")
    var seed: UInt64 = 1

    @Flag(help: "Stop when the process that started this one has ended.")
    var exitWithParent = false

    @OptionGroup var catalogue: CatalogueOptions

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
        guard latency >= 0, logLimit > 0 else { throw ValidationError("--latency and --log-limit are not negative.") }
    }

    func run() async throws {
        let parent = StopCondition.currentParent
        let stock = try catalogue.sources.stock { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
        let emulator = Emulator(stock: stock, latency: .milliseconds(latency), logLimit: logLimit, seed: seed)
        let server = try await EmulatorServer.start(
            emulator, port: port, group: MultiThreadedEventLoopGroup.singleton.next())
        FileHandle.standardOutput.write(Data("listening on \(server.url)\n".utf8))
        await StopCondition.reached(watching: exitWithParent ? parent : nil)
        try await server.stop()
    }
}
