import ArgumentParser
import BookstrackContract
import JSONRPC
import SuiteMethods

/// `bookstrack health SERVICE`, for health checks of containers (http-api.md "Readiness").
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Check one service's health.",
        discussion: "Asks the service through its socket in BOOKSTRACK_RUNTIME_DIR.")

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
