package import Foundation
import NIOHTTP1
package import WireClient
import Subprocess

/// The services and the provider emulator as real processes in a temporary directory.
package final class Suite: Sendable {
    /// How a test or benchmark differs from the defaults.
    package struct Options: Sendable {
        /// Settings by environment variable, which override the fixture's own.
        package var settings: [String: String] = [:]
        package var emulatorArguments: [String] = []
        /// Names of additional workers.
        package var furtherWorkers: [String] = []
        /// The services' data directory; by default inside the suite's directory.
        package var dataDirectory: String?

        package init(
            settings: [String: String] = [:], emulatorArguments: [String] = [], furtherWorkers: [String] = [],
            dataDirectory: String? = nil
        ) {
            self.settings = settings
            self.emulatorArguments = emulatorArguments
            self.furtherWorkers = furtherWorkers
            self.dataDirectory = dataDirectory
        }
    }

    package let directory: URL
    package let emulator: EmulatorProcess
    package let host: ServiceProcess
    /// The main worker.
    package let worker: ServiceProcess
    /// The additional workers, in the order of `Options.furtherWorkers`.
    package let furtherWorkers: [ServiceProcess]
    package let proxy: ServiceProcess
    package let address: ServerAddress
    package let adminAddress: ServerAddress
    package let http: HTTPClient

    package var api: APIClient { APIClient(http) }
    package var runtimeDirectory: String { directory.appending(path: "run").path }
    package let dataDirectory: String
    /// The environment of the services' processes, including their settings.
    let environment: [String: String]

    private init(_ options: Options) async throws {
        // The path is short, because a Unix socket's path has at most 107 bytes.
        directory = URL(filePath: "/tmp").appending(path: "bt-\(UInt32.random(in: .min ... .max))")
        dataDirectory = options.dataDirectory ?? directory.appending(path: "data").path
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        emulator = try await EmulatorProcess.start(in: directory, arguments: options.emulatorArguments)
        address = ServerAddress(host: "127.0.0.1", port: try await FreePort.find())
        adminAddress = ServerAddress(host: "127.0.0.1", port: try await FreePort.find())
        let inherited = ProcessInfo.processInfo.environment.filter { ["PATH", "HOME", "LANG"].contains($0.key) }
        environment =
            inherited
            .merging([
                "BOOKSTRACK_RUNTIME_DIR": directory.appending(path: "run").path,
                "BOOKSTRACK_DATA_DIR": dataDirectory,
                "BOOKSTRACK_HTTP_PORT": "\(address.port)", "BOOKSTRACK_ADMIN_PORT": "\(adminAddress.port)",
                "BOOKSTRACK_OPEN_LIBRARY_BASE_URL": emulator.openLibraryURL,
                "BOOKSTRACK_GOOGLE_BOOKS_BASE_URL": emulator.googleBooksURL,
                "BOOKSTRACK_ISBNDB_BASE_URL": emulator.isbndbURL, "BOOKSTRACK_WIKIDATA_BASE_URL": emulator.wikidataURL,
                "BOOKSTRACK_COVERS_BASE_URL": emulator.coversURL, "BOOKSTRACK_GEMINI_BASE_URL": emulator.geminiURL,
                "BOOKSTRACK_ISBNDB_REQUESTS_PER_SECOND": "0", "BOOKSTRACK_WIKIDATA_REQUESTS_PER_SECOND": "0",
                "BOOKSTRACK_CONTACT": "tests@example.org",
                "BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND": "0", "BOOKSTRACK_GOOGLE_BOOKS_DAILY_BUDGET": "0",
                "BOOKSTRACK_URL": "\(address)", "XDG_STATE_HOME": directory.appending(path: "state").path,
                "BOOKSTRACK_RATE_LIMIT": "off", "BOOKSTRACK_LOG_FORMAT": "json",
            ]) { $1 }
            .merging(options.settings) { $1 }
        let log = { [directory] (name: String) in directory.appending(path: "\(name).log").path }
        let environment = environment
        host = ServiceProcess(.progressHost, environment: environment, logPath: log("host"))
        worker = ServiceProcess(.enrichmentWorker, environment: environment, logPath: log("worker"))
        furtherWorkers = options.furtherWorkers.map { name in
            ServiceProcess(
                .enrichmentWorker, environment: environment.merging(["BOOKSTRACK_WORKER_NAME": name]) { $1 },
                logPath: log("worker-\(name)"))
        }
        proxy = ServiceProcess(.apiProxy, environment: environment, logPath: log("proxy"))
        http = HTTPClient(address: address)
    }

    /// Starts everything, runs `body` when the suite is ready, stops everything, and removes the directory after a success.
    package static func run<Value>(
        _ options: Options = Options(), _ body: (Suite) async throws -> Value
    ) async throws -> Value {
        let suite = try await Suite(options)
        do {
            try await suite.start()
            let value = try await body(suite)
            await suite.stop()
            try? FileManager.default.removeItem(at: suite.directory)
            return value
        } catch {
            await suite.stop()
            throw SuiteFailure(underlying: error, directory: suite.directory.path)
        }
    }

    private func start() async throws {
        for process in [host, worker] + furtherWorkers + [proxy] { try await process.start() }
        try await waitUntilReady()
    }

    private func stop() async {
        for process in [proxy] + furtherWorkers + [worker, host] { await process.end(SIGTERM) }
        await emulator.process.end(SIGTERM)
        await http.shutdown()
    }

    /// Polls `/health/ready` until api-proxy reports that it and the other services are ready.
    package func waitUntilReady(within limit: Duration = .seconds(60)) async throws {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            let answer = try? await http.send(HTTPCall(.GET, "/health/ready", timeout: .seconds(2)))
            if let answer, answer.status == 200, answer.text.contains("\"ready\"") { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw ServiceProcess.Failure(description: "the suite was not ready within \(limit)")
    }
}

/// A failure inside a suite, with the directory of its logs.
package struct SuiteFailure: Error, CustomStringConvertible {
    package let underlying: any Error
    package let directory: String

    package var description: String { "\(underlying) (logs in \(directory))" }
}

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

extension Suite {
    /// The result of running `bookstrack`.
    package struct CommandRun: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// Runs `bookstrack` with the services' settings until it exits.
    package func bookstrack(_ arguments: String...) async throws -> CommandRun { try await bookstrack(arguments) }

    /// Starts `bookstrack` with the services' settings on a terminal.
    package func terminal(
        _ arguments: [String], columns: UInt16 = 80, environment changes: [String: String] = [:]
    ) throws -> TerminalProcess {
        try TerminalProcess(arguments, environment: environment.merging(changes) { $1 }, columns: columns)
    }

    /// Runs `bookstrack` with the services' settings and these changes to the environment, until it exits.
    package func bookstrack(_ arguments: [String], environment changes: [String: String] = [:]) async throws
        -> CommandRun
    {
        let environment = environment.merging(changes) { $1 }
        let result = try await Subprocess.run(
            .path(FilePath(BuiltProduct.commandLine.path)), arguments: Arguments(arguments),
            environment: .custom(
                Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) })
            ),
            output: .string(limit: 4 << 20), error: .string(limit: 1 << 20))
        guard case .exited(let status) = result.terminationStatus else {
            throw ServiceProcess.Failure(description: "bookstrack \(arguments) was ended by a signal")
        }
        return CommandRun(status: status, output: result.standardOutput, errors: result.standardError)
    }
}
