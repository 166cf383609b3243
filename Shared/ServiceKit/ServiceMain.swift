package import Foundation
package import Logging
import NIOPosix
package import Observability
package import ServiceLifecycle
package import SuiteMethods
import UnixSignals

/// The main program of a service: settings, log, directories, services, signals, exit status.
///
/// ```swift
/// @main enum ProgressHost {
///     static func main() async {
///         await ServiceMain.run(.progressHost, abstract: "Keeps jobs and their progress.") { context in
///             [try JobStore(context), SocketServer(context)]
///         }
///     }
/// }
/// ```
package enum ServiceMain {
    /// Maximum time from the start of a graceful stop to the end of the process (operations.md).
    package static let stopLimit = Duration.seconds(10)
    /// Time from the start of a graceful stop until the services' tasks are cancelled.
    package static let gracefulLimit = Duration.seconds(8)

    /// Runs the services from `build` until a signal, a call to ``ServiceContext/stop`` or a failure; never returns. Services start in order and
    /// stop in reverse.
    package static func run(
        _ service: ServiceName, abstract: String, build: @Sendable (ServiceContext) async throws -> [any Service]
    ) async -> Never {
        let name = service.rawValue
        let settings = settingsOrExit(name, abstract)
        let tail = TailHub()
        let sink = LogBootstrap.start(settings, tail: tail)
        let logger = Logger(
            label: service == .enrichmentWorker ? ServiceInstance.worker(settings[.workerName]).name : name)
        let manager = ServiceManager(logger: logger)
        let health = HealthReporter(logger: logger) { manager.tell(.status($0.summary)) }
        let metrics = MetricRegistry()
        metrics.declareProcess(version: SuiteVersion.text)
        metrics.declareHealth(health)
        metrics.counter(
            "bookstrack_log_lines_dropped_total",
            help: "Log lines dropped because of a slow reader or a failed write, for example on a full disk."
        ) { sink.droppedLines }
        signal(SIGPIPE, SIG_IGN)
        let stopper = Stopper(logger: logger, health: health, manager: manager, sink: sink)
        await stopper.listen()
        do {
            let directories = try SuiteDirectories(settings)
            try directories.prepare(for: service)
            for warning in settings.warnings { logger.warning("\(warning)") }
            logger.notice("starting", metadata: ["version": "\(SuiteVersion.text)", "pid": "\(getpid())"])
            let listeners = Listeners(logger: logger) { ready(logger, health, manager) }
            let context = ServiceContext(
                service: service, settings: settings, directories: directories, logger: logger, health: health,
                tail: tail, metrics: metrics, listeners: listeners, liveness: liveness(),
                passedSockets: manager.passedSockets,
                stop: { reason in Task { await stopper.stop(reason) } })
            let services = try await build(context)
            listeners.complete()
            manager.startWatchdog(liveness: context.liveness)
            try await runGroup(services, logger, stopper)
            logger.notice("stopped")
            leave(.success, manager, sink)
        } catch let error as SettingsError {
            logger.critical("\(error)")
            leave(.configuration, manager, sink)
        } catch let error as StartFailure {
            logger.critical("\(error)")
            leave(.failure, manager, sink)
        } catch {
            logger.critical("failed", metadata: ["error": "\(error)"])
            leave(.failure, manager, sink)
        }
    }

    /// The liveness of a process: every process depends on its event loops; services add their own parts.
    private static func liveness() -> Liveness {
        let liveness = Liveness()
        liveness.watch(MultiThreadedEventLoopGroup.singleton)
        return liveness
    }

    private static func ready(_ logger: Logger, _ health: HealthReporter, _ manager: ServiceManager) {
        manager.tell(.ready, .status(health.readiness.summary))
        let age = ProcessStat.current?.age.map { Int($0 / .milliseconds(1)) }
        logger.notice("ready", metadata: age.map { ["milliseconds": "\($0)"] } ?? [:])
    }

    private static func runGroup(_ services: [any Service], _ logger: Logger, _ stopper: Stopper) async throws {
        var configuration = ServiceGroupConfiguration(services: services, logger: notices(logger))
        configuration.maximumGracefulShutdownDuration = gracefulLimit
        let group = ServiceGroup(configuration: configuration)
        guard stopper.servicesStarted(group) else { return }
        try await group.run()
    }

    /// A logger for the service group. Below notice, the group logs descriptions of whole services, which are kilobytes long.
    private static func notices(_ logger: Logger) -> Logger {
        var notices = logger
        notices.logLevel = max(logger.logLevel, .notice)
        return notices
    }

    private static func settingsOrExit(_ name: String, _ abstract: String) -> Settings {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.contains("--help") || arguments.contains("-h") {
            print(help(name, abstract, arguments.filter { $0 != "--help" && $0 != "-h" }))
            exit(ExitCode.success.rawValue)
        }
        if arguments.contains("--version") {
            print(SuiteVersion.text)
            exit(ExitCode.success.rawValue)
        }
        do {
            return try Settings.load()
        } catch {
            FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
            exit(error.exitCode.rawValue)
        }
    }

    private static func help(_ name: String, _ abstract: String, _ arguments: [String]) -> String {
        let settings: Result<Settings, SettingsError>
        do {
            settings = .success(try Settings.load(arguments: arguments))
        } catch {
            settings = .failure(error)
        }
        return SettingsHelp(program: name, abstract: abstract, settings: settings).text
    }

    /// Ends the process after sending its last notices and log lines.
    static func leave(_ code: ExitCode, _ manager: ServiceManager, _ sink: LogSink) -> Never {
        manager.finish(within: 1)
        sink.close(within: 1)
        exit(code.rawValue)
    }
}

/// Why a service cannot start now, in one line for its operator. A later start may succeed with the same settings.
package struct StartFailure: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension SettingsError {
    /// The exit status after this error.
    package var exitCode: ExitCode {
        switch self {
        case .unknownOption, .missingValue, .unexpectedArgument: .usage
        default: .configuration
        }
    }
}

/// The inputs of a service.
package struct ServiceContext: Sendable {
    package let service: ServiceName
    /// The settings from the command line, environment, file and defaults.
    package let settings: Settings
    /// The directories of sockets and data; both exist.
    package let directories: SuiteDirectories
    /// The process's log.
    package let logger: Logger
    /// Receives the readiness of dependencies.
    package let health: HealthReporter
    /// The events of this process, for followers.
    package let tail: TailHub
    /// The metrics of this process.
    package let metrics: MetricRegistry
    /// Where the service announces its sockets while it is built, and reports when they are listening.
    package let listeners: Listeners
    /// The parts that must make progress for the process to count as alive.
    package let liveness: Liveness
    /// Sockets that the service manager opened for this process.
    package let passedSockets: PassedSockets
    /// Stops the running services and then this process, as the first signal would; logs the reason. Does nothing if the services are not running
    /// yet or are already stopping.
    package let stop: @Sendable (_ reason: String) -> Void
}

/// Exit status of the suite's services, taken from sysexits(3) where it defines a suitable one. A second signal ends the process with 128 plus
/// the signal's number.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    /// A service could not start, failed, or ended by itself.
    case failure = 1
    /// The command line has an unknown option, an option without a value, or an unexpected argument.
    case usage = 64
    /// The services did not stop within `ServiceMain.stopLimit`.
    case stopTookTooLong = 75
    /// A setting is invalid or cannot be used.
    case configuration = 78

    /// A description for `--help`.
    package var meaning: String {
        switch self {
        case .success: "stopped on request"
        case .failure: "failed"
        case .usage: "usage error"
        case .stopTookTooLong: "stopping took too long"
        case .configuration: "bad setting"
        }
    }
}

/// The version of all executables, which are built and released together.
package enum SuiteVersion {
    /// Semantic version, without a leading "v".
    package static let text = "0.2.0"
    /// Start of the release day in UTC: 2026-11-22.
    package static let released = Date(timeIntervalSince1970: 1_795_305_600)
}
