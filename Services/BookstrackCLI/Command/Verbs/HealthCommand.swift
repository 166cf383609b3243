import ArgumentParser
import BookstrackContract
import JSONRPC
import Logging
import NIOPosix
import ServiceKit
import SuiteMethods

/// `bookstrack health SERVICE`, for health checks of containers (spec/07 "Readiness").
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Asks a service through its socket how it is.",
        discussion: "Exit status: 0 when it is ready or degraded, 1 when it cannot serve, 69 when it does not answer.")

    @Argument(help: "api-proxy, progress-host or enrichment-worker.")
    var service: ServiceName

    func run() async throws {
        try await runVerb {
            let directories = try SuiteDirectories(Settings.load(arguments: []))
            let answer = try await ask(directories.socket(of: service))
            StandardStreams.writeOutput(Self.text(answer))
            return answer.readiness.status == .unavailable ? .incomplete : .success
        }
    }

    private func ask(_ path: String) async throws -> HealthCheck.Result {
        let quiet = Logger(label: "bookstrack") { _ in SwiftLogNoOpLogHandler() }
        let client = RPCClient(
            path: path, router: RPCRouter(), group: MultiThreadedEventLoopGroup.singleton, logger: quiet,
            pingInterval: nil)
        let running = Task { await client.run() }
        defer { running.cancel() }
        do {
            try await client.waitUntilConnected(within: .seconds(2))
            return try await client.call(HealthCheck.self, Nothing())
        } catch {
            throw CommandFailure(.unavailable, "\(service.rawValue) does not answer at \(path) (\(error))")
        }
    }

    static func text(_ answer: HealthCheck.Result) -> String {
        let parts = answer.readiness.dependencies ?? []
        return "\(answer.service.rawValue) \(answer.version): \(answer.readiness.status.rawValue)\n"
            + parts.map { "  \($0.name): \($0.status.rawValue) (\($0.reason))\n" }.joined()
    }
}

extension ServiceName: ExpressibleByArgument {}
