import ArgumentParser
import BookstrackContract
import Foundation
import Observability
import ServiceKit

/// `bookstrack status`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows what the services are doing.",
        discussion: """
            Asks every service through its socket in BOOKSTRACK_RUNTIME_DIR; one that does not run is shown as down. Exit status: 0 when all \
            services serve, 1 when one does not, 69 when none answers; 0 with --watch.
            """)

    private static let interval = Duration.seconds(1)

    @Flag(name: .shortAndLong, help: "Draw it again every second, until Ctrl-C.")
    var watch = false

    @Flag(help: "Print JSON; with --watch an object per line.")
    var json = false

    func run() async throws {
        try await runVerb {
            let calls = try StatusCalls(directories: SuiteDirectories(Settings.load(arguments: [])))
            guard watch else { return try await showOnce(calls) }
            let signals = StopSignals()
            if json {
                try await signals.repeating(every: Self.interval) {
                    StandardStreams.writeOutput(try await StatusDocument(calls.reports()).text(isCompact: true))
                }
            } else {
                try await draw(calls, until: signals)
            }
            return .success
        }
    }

    private func showOnce(_ calls: StatusCalls) async throws -> ExitStatus {
        let reports = await calls.reports()
        StandardStreams.writeOutput(
            json
                ? try StatusDocument(reports).text(isCompact: false)
                : Self.lines(reports).joined(separator: "\n") + "\n")
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
            screen.draw(["bookstrack status  \(time)", ""] + Self.lines(reports), rows: StandardStreams.outputRows)
        }
    }

    private static func lines(_ reports: [ServiceReport]) -> [String] {
        StatusText(reports: reports, now: Activity.now, width: StandardStreams.outputColumns ?? 120).lines
    }

}
