import Foundation

/// The help of a command on a terminal, from the usage to the exit statuses.
struct HelpText {
    private static let labelColumns = 24
    /// Maximum width of text, for readability.
    private static let widest = 100

    let command: CommandDescription
    let style: OutputStyle

    private var width: Int { min(style.width, Self.widest) }

    /// The whole help.
    var full: String {
        let notes = VerbNotes.of(command.path)
        return ([usage, prose] + arguments + [verbs(width)] + [examples(notes), statuses(notes), pointer])
            .filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// The usage, the abstract, the commands and how to show the rest; short enough for a terminal with 24 rows.
    var brief: String {
        let more = "Examples and exit statuses: \(command.invocation) --help, \(command.invocation) <command> --help"
        return
            (usage + TextWrap.lines(command.abstract ?? "", columns: width)
            + verbs(width).dropFirst() + TextWrap.lines(more, columns: width)).joined(separator: "\n") + "\n"
    }

    /// Writes the help to standard output. Full help that is longer than the terminal goes through a pager if there is one.
    func show(isBrief: Bool) {
        let text = isBrief ? brief : full
        guard !isBrief, let pager = Pager.standard(for: text) else { return StandardStreams.writeOutput(text) }
        pager.show(text)
    }

    /// The lines of the usage; parts that do not fit on the first line follow below its first part after the command.
    var usage: [String] {
        let head = "Usage: "
        let indent = String(repeating: " ", count: head.count + DisplayWidth.of(command.invocation) + 1)
        var lines = [head + command.invocation]
        for part in command.usage.dropFirst() {
            if DisplayWidth.of(lines[lines.count - 1]) + 1 + DisplayWidth.of(part) <= width {
                lines[lines.count - 1] += " " + part
            } else {
                lines.append(indent + part)
            }
        }
        return [style.paint("Usage:", .heading) + lines[0].dropFirst(head.count - 1)] + lines.dropFirst()
    }

    private var prose: [String] {
        let paragraphs = [command.abstract ?? ""] + (command.discussion ?? "").components(separatedBy: "\n\n")
        return paragraphs.filter { !$0.isEmpty }.map { TextWrap.lines($0, columns: width) }.joined(separator: [""])
            .map(\.self)
    }

    /// Arguments, the options of each titled group, and the other options.
    private var arguments: [[String]] {
        let shown = command.shown
        let titles = shown.compactMap(\.sectionTitle).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let groups =
            [("Arguments", shown.filter { $0.kind == .positional })]
            + titles.map { title in (title, shown.filter { $0.sectionTitle == title }) }
            + [("Options", shown.filter { $0.kind != .positional && $0.sectionTitle == nil })]
        return groups.filter { !$0.1.isEmpty }.map { title, arguments in
            [heading(title)] + arguments.flatMap { row($0.label, $0.explanation) }
        }
    }

    private func verbs(_ width: Int) -> [String] {
        guard !command.verbs.isEmpty else { return [] }
        let columns = (command.verbs.map(\.commandName.count).max() ?? 0) + 4
        return [heading("Commands")]
            + command.verbs.flatMap { row($0.commandName, ($0.abstract ?? "").withoutPeriod, columns: columns) }
    }

    private func examples(_ notes: VerbNotes) -> [String] {
        guard !notes.examples.isEmpty else { return [] }
        return [heading("Examples")]
            + notes.examples.flatMap { ["  " + style.paint("# \($0.purpose)", .faint), "  \($0.command)"] }
    }

    private func statuses(_ notes: VerbNotes) -> [String] {
        [heading("Exit status")]
            + notes.statuses.flatMap { status, meaning in
                row(DisplayWidth.right("\(status.rawValue)", 3), meaning, columns: 7)
            }
    }

    private var pointer: [String] {
        command.path.isEmpty
            ? [
                "'bookstrack <command> --help' shows a command's options and examples; 'man bookstrack' shows those of all commands."
            ]
            .flatMap { TextWrap.lines($0, columns: width) }
            : []
    }

    private func heading(_ title: String) -> String { style.paint(title + ":", .heading) }

    /// A label with its text beside it, or below it if the label is long.
    private func row(_ label: String, _ text: String, columns: Int = labelColumns) -> [String] {
        let lines = TextWrap.lines(text, columns: max(20, width - columns))
        let indent = String(repeating: " ", count: columns)
        let fits = DisplayWidth.of(label) + 4 <= columns
        let head = fits ? [DisplayWidth.pad("  " + label, columns) + (lines.first ?? "")] : ["  " + label]
        return head + lines.dropFirst(fits ? 1 : 0).map { indent + $0 }
    }
}

extension String {
    fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
