import ArgumentParser
import BookstrackContract
import Foundation
import JSONRPC
import Observability
import SuiteMethods

/// `bookstrack status`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show services, jobs, queues, providers and caches.",
        discussion: """
            Queries every service through its socket in BOOKSTRACK_RUNTIME_DIR. A service that does not answer is shown as down; under systemd, \
            the state of its unit and its last log lines are shown too.
            """)

    @Flag(name: .shortAndLong, help: "Refresh every second until Ctrl-C.")
    var watch = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !watch || output.format != .csv else { throw ValidationError("--watch prints a table or JSON, not CSV.") }
    }

    func run() async throws {
        try await runVerb {
            let calls = try StatusCalls(CommandSettings.load())
            guard watch else { return try await showOnce(calls) }
            try await output.watch("status") {
                await calls.reports()
            } lines: {
                Self.lines($0, .standard)
            } document: {
                StatusDocument($0)
            }
            return .success
        }
    }

    private func showOnce(_ calls: StatusCalls) async throws -> ExitStatus {
        let reports = await calls.reports()
        try output.show(
            csv: StatusReport.table(reports, now: Activity.now), document: StatusDocument(reports)
        ) { style in
            Self.lines(reports, style).joined(separator: "\n") + "\n"
        }
        return reports.exitStatus
    }

    private static func lines(_ reports: [ServiceReport], _ style: OutputStyle) -> [String] {
        StatusReport(reports: reports, now: Activity.now, style: style).lines
    }
}

/// `bookstrack health SERVICE`, for health checks of containers (http-api.md "Readiness").
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Check one service's health.",
        discussion: "Queries the service through its socket in BOOKSTRACK_RUNTIME_DIR.")

    @Argument(help: "Service to check; enrichment-worker-NAME for one of several workers.")
    var service: ServiceInstance

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            let directories = try CommandSettings.load().directories
            let answer = try await ServiceSocket(service, in: directories).call(HealthCheck.self, Nothing())
            try output.show(csv: Self.table(answer, of: service), document: answer) { _ in
                Self.text(answer, of: service)
            }
            return answer.readiness.status == .unavailable ? .incomplete : .success
        }
    }

    private static func table(_ answer: HealthCheck.Result, of service: ServiceInstance) -> TextTable {
        let own = [service.name, answer.readiness.status.rawValue, ""]
        let parts = answer.readiness.dependencies ?? []
        return TextTable(
            columns: [.init("Name"), .init("Status"), .init("Reason", .prose)],
            rows: [own] + parts.map { [$0.name, $0.status.rawValue, $0.reason] })
    }

    static func text(_ answer: HealthCheck.Result, of service: ServiceInstance) -> String {
        let parts = answer.readiness.dependencies ?? []
        return "\(service.name) \(answer.version): \(answer.readiness.status.rawValue)\n"
            + parts.map { "  \($0.name): \($0.status.rawValue) (\($0.reason))\n" }.joined()
    }
}

extension ServiceInstance: ExpressibleByArgument {
    package init?(argument: String) { self.init(name: argument) }

    package static var allValueStrings: [String] { standard.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
