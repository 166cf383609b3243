import ArgumentParser
import Foundation
import ServiceKit

/// `bookstrack config [--OPTION VALUE]…`
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Prints the settings that hold and where each comes from.",
        discussion: "Give it the options of a service to see what they would change. Secrets are masked.")

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(parsing: .captureForPassthrough, help: "Options of a service, for example --http-port 9000.")
    var options: [String] = []

    func run() async throws {
        // What follows the first option of a service is not the parser's any more.
        if options.contains("--help") || options.contains("-h") { throw CleanExit.helpRequest(self) }
        if options.contains("--version") { throw CleanExit.message(SuiteVersion.text) }
        let json = json || options.contains("--json")
        try await runVerb {
            let settings = try Settings.load(arguments: options.filter { $0 != "--json" })
            StandardStreams.writeOutput(json ? try Self.json(settings) : Self.table(settings))
            for warning in settings.warnings { StandardStreams.writeError("bookstrack: \(warning)\n") }
            return .success
        }
    }

    private static func table(_ settings: Settings) -> String {
        let rows = settings.effective.map { setting in
            let unit = setting.unit.map { " \($0)" } ?? ""
            return [
                setting.name, setting.value.isEmpty ? "-" : setting.value + unit, "\(setting.source)", setting.meaning,
            ]
        }
        let table = TextTable(header: ["Setting", "Value", "From", "Meaning"], rows: rows)
        return table.lines(width: StandardStreams.outputColumns ?? 200).joined(separator: "\n") + "\n"
    }

    private static func json(_ settings: Settings) throws -> String {
        let rows = settings.effective.map {
            Row(
                name: $0.name, option: $0.option, value: $0.value, source: "\($0.source)", unit: $0.unit,
                default: $0.fallback, meaning: $0.meaning)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(rows), as: UTF8.self) + "\n"
    }

    private struct Row: Encodable {
        var name: String
        var option: String
        var value: String
        var source: String
        var unit: String?
        var `default`: String
        var meaning: String
    }
}
