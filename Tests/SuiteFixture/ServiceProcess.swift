import Foundation
import NIOConcurrencyHelpers
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A real process under test that can be started, killed and restarted; its output goes to a log file.
package final class ServiceProcess: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private struct Running {
        var pid: Int32
        /// The exit status, once the process has ended; nil if a signal ended it.
        var exit: Task<Int32?, Never>
    }

    private let executable: String
    private let arguments: [String]
    private let environment: [String: String]
    package let logPath: String
    private let running = NIOLockedValueBox<Running?>(nil)

    /// A process of one of the package's products.
    package convenience init(
        _ product: BuiltProduct, arguments: [String] = [], environment: [String: String], logPath: String
    ) {
        self.init(executable: product.path, arguments: arguments, environment: environment, logPath: logPath)
    }

    /// A process of any other program.
    package init(executable: String, arguments: [String], environment: [String: String], logPath: String) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.logPath = logPath
    }

    /// The pid of the process; nil before ``start()`` and after ``wait()`` or ``end(_:)``.
    package var pid: Int32? { running.withLockedValue { $0?.pid } }

    /// Whether the process started last is still running.
    package var isAlive: Bool { pid.map { kill($0, 0) == 0 } ?? false }

    /// Everything that the process has written to its log file.
    package var log: String { (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? "" }

    /// Starts the process; returns once it has a pid.
    package func start() async throws {
        let (pids, pidArrived) = AsyncStream<Int32>.makeStream()
        let configuration = Configuration(
            executable: .path(FilePath(executable)), arguments: Arguments(arguments),
            environment: .custom(
                Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) })
            ))
        let log = try FileDescriptor.open(
            FilePath(logPath), .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
        let exit = Task<Int32?, Never> {
            defer { pidArrived.finish() }
            let result = try? await run(
                configuration, input: .none,
                output: .fileDescriptor(log, closeAfterSpawningProcess: false),
                error: .fileDescriptor(log, closeAfterSpawningProcess: true)
            ) { execution in
                pidArrived.yield(execution.processIdentifier.value)
            }
            if case .exited(let code)? = result?.terminationStatus { return code }
            return nil
        }
        guard let pid = await pids.first(where: { _ in true }) else {
            throw Failure(description: "\(executable) cannot be started; build or install it first")
        }
        running.withLockedValue { $0 = Running(pid: pid, exit: exit) }
    }

    /// Sends a signal, which may or may not end the process.
    package func signal(_ signal: Int32) {
        if let pid { kill(pid, signal) }
    }

    /// Waits until the process has ended, without sending it a signal. Returns its exit status; nil if a signal ended it or there is no process.
    @discardableResult
    package func wait() async -> Int32? {
        let status = await running.withLockedValue { $0 }?.exit.value
        running.withLockedValue { $0 = nil }
        return status ?? nil
    }

    /// Ends the process with `signal` and waits until it is gone. Returns its exit status; nil if a
    /// signal ended it or there is no process.
    @discardableResult
    package func end(_ signal: Int32 = SIGKILL) async -> Int32? {
        guard let pid else { return nil }
        kill(pid, signal)
        return await wait()
    }
}

/// The package's executables, found in `BOOKSTRACK_BIN_DIR` or, if that is not set, next to the running one.
package enum BuiltProduct: String, Sendable, CaseIterable {
    case apiProxy = "api-proxy"
    case progressHost = "progress-host"
    case enrichmentWorker = "enrichment-worker"
    case emulator = "provider-emulator"
    case commandLine = "bookstrack"
    case benchmarks = "bookstrack-bench"
    case queuedApp = "QueuedApp"

    /// Absolute path of the executable.
    package var path: String {
        let directory =
            ProcessInfo.processInfo.environment["BOOKSTRACK_BIN_DIR"].map { URL(filePath: $0) } ?? Self.ownDirectory
        return directory.appending(path: rawValue).path
    }

    private static var ownDirectory: URL {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(filePath: own).deletingLastPathComponent()
    }
}
