import ArgumentParser
import BookstrackContract
import Foundation
import Observability

/// `bookstrack status`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show services, jobs, queues, providers and caches.",
        discussion: """
            Asks every service through its socket in BOOKSTRACK_RUNTIME_DIR. A service that does not answer is shown as down, under systemd \
            with the state of its unit and its last log lines.
            """)

    private static let interval = Duration.seconds(1)

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
            let signals = StopSignals()
            if output.format == .json {
                try await signals.repeating(every: Self.interval) {
                    StandardStreams.writeOutput(
                        try await OutputOptions.jsonLine(StatusDocument(calls.reports())) + "\n")
                }
            } else {
                try await draw(calls, until: signals)
            }
            return .success
        }
    }

    private func showOnce(_ calls: StatusCalls) async throws -> ExitStatus {
        let reports = await calls.reports()
        try output.show(
            csv: StatusText.table(reports, now: Activity.now), document: StatusDocument(reports)
        ) { style in
            Self.lines(reports, style).joined(separator: "\n") + "\n"
        }
        return reports.exitStatus
    }

    private func draw(_ calls: StatusCalls, until signals: StopSignals) async throws {
        let screen = LiveScreen.standard
        screen.begin()
        defer { screen.end() }
        try await signals.repeating(every: Self.interval) {
            let reports = await calls.reports()
            guard !Task.isCancelled else { return }
            let time = ISO8601Milliseconds.string(fromMilliseconds: Activity.now)
            screen.draw(
                ["bookstrack status  \(time)", ""] + Self.lines(reports, .standard), rows: StandardStreams.outputRows)
        }
    }

    private static func lines(_ reports: [ServiceReport], _ style: OutputStyle) -> [String] {
        StatusText(reports: reports, now: Activity.now, style: style).lines
    }
}
