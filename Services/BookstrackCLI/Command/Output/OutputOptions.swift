import ArgumentParser
import BookstrackContract
import Foundation
import Observability

/// The format of a command's output.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for users.
    case table
    case json
    /// Comma-separated values (RFC 4180).
    case csv
}

/// The options that select the format.
struct FormatOptions: ParsableArguments {
    @Option(name: .customLong("format"), help: ArgumentHelp("Output format: table, json or csv.", valueName: "format"))
    var given: OutputFormat?

    @Flag(help: "Short for --format json.")
    var json = false

    func validate() throws {
        guard !json || given == nil || given == .json else {
            throw ValidationError("--json means --format json; omit either --json or --format \(format.rawValue).")
        }
    }

    var format: OutputFormat { given ?? (json ? .json : .table) }
}

/// The output options of most commands.
struct OutputOptions: ParsableArguments {
    @OptionGroup var formats: FormatOptions

    @Flag(name: .customLong("no-pager"), help: "Print long output without a pager.")
    var withoutPager = false

    var format: OutputFormat { formats.format }

    /// These options combined with further arguments, whose format takes precedence. Throws the parser's errors.
    func adding(_ arguments: [String]) throws -> Self {
        var all = try Self.parse(arguments)
        if all.formats.given == nil, !all.formats.json { all.formats = formats }
        all.withoutPager = all.withoutPager || withoutPager
        return all
    }

    /// Prints one result: as text, as the JSON of `document`, or as CSV.
    func show(csv: TextTable, document: some Encodable, text: (OutputStyle) -> String) throws {
        switch format {
        case .table: write(text(.standard))
        case .json: write(try Self.json(document))
        case .csv: write(csv.csv)
        }
    }

    /// Shows a new reading every second until Ctrl-C, SIGTERM or an error: in JSON as one object per line, otherwise redrawn in place below the
    /// command and the time.
    func watch<Reading, Document: Encodable & SendableMetatype>(
        _ command: String, read: @escaping @Sendable () async throws -> Reading,
        lines: @escaping @Sendable (Reading) -> [String], document: @escaping @Sendable (Reading) -> Document
    ) async throws {
        let signals = StopSignals()
        let screen: LiveScreen? = format == .json ? nil : .standard
        screen?.begin()
        defer { screen?.end() }
        try await signals.repeating(every: .seconds(1)) {
            let reading = try await read()
            // Calls that Ctrl-C has cancelled do not mean that their services are down.
            guard !Task.isCancelled else { return }
            guard let screen else {
                return StandardStreams.writeOutput(try Self.jsonLine(document(reading)) + "\n")
            }
            let time = ISO8601Milliseconds.string(fromMilliseconds: Activity.now)
            screen.draw(["bookstrack \(command)  \(time)", ""] + lines(reading), rows: StandardStreams.outputRows)
        }
    }

    /// Writes output in any format. Text that is longer than the terminal is shown in a pager, unless there is none or an option forbids it.
    func write(_ text: String) {
        guard format == .table, !withoutPager, let pager = Pager.standard(for: text) else {
            return StandardStreams.writeOutput(text)
        }
        pager.show(text)
    }

    /// A JSON document on several lines, with its members in alphabetical order.
    static func json(_ document: some Encodable) throws -> String { try json(document, .prettyPrinted) + "\n" }

    /// A JSON document on one line, without a trailing newline, for streams of documents and for parts of a larger document.
    static func jsonLine(_ document: some Encodable) throws -> String { try json(document, []) }

    private static func json(_ document: some Encodable, _ layout: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = layout.union([.sortedKeys, .withoutEscapingSlashes])
        return UntrustedText.json(String(decoding: try encoder.encode(document), as: UTF8.self))
    }
}
