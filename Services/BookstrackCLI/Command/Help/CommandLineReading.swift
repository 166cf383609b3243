/// Finds the longest prefix of a command line that names an existing command, and suggests a correction for the rest.
struct CommandLineReading {
    /// The command that the prefix names.
    let command: CommandDescription
    /// The arguments after its name.
    let rest: ArraySlice<String>
    private let asksByHelpCommand: Bool

    /// - Parameter arguments: The arguments, without the program's name.
    init(_ arguments: [String], in suite: CommandDescription) {
        asksByHelpCommand = arguments.first == "help"
        var command = suite
        var rest = arguments[...]
        if asksByHelpCommand { rest.removeFirst() }
        while let name = rest.first, let next = command.verbs.first(where: { $0.commandName == name }) {
            command = next
            rest.removeFirst()
        }
        self.command = command
        self.rest = rest
    }

    /// Whether to show help: if it is requested, or if a command that only groups others has no arguments.
    var asksForHelp: Bool {
        guard unknown == nil else { return false }
        let options = rest.prefix { $0 != "--" }
        return asksByHelpCommand || options.contains("--help") || options.contains("-h")
            || (rest.isEmpty && !command.verbs.isEmpty)
    }

    /// The first argument if it names a command that does not exist; nil otherwise.
    private var unknown: String? {
        guard let name = rest.first, !command.verbs.isEmpty, !name.hasPrefix("-") else { return nil }
        if command.subcommands?.contains(where: { $0.commandName == name }) == true { return nil }
        return name
    }

    /// Describes the error in the command's name, with a suggestion; nil if the name is correct.
    var correction: String? {
        guard let unknown else { return nil }
        let names = command.verbs.map(\.commandName)
        let shown = "'\(unknown)'"
        if let meant = SpellingSuggestion.closest(to: unknown, among: names) {
            return "unknown command \(shown); did you mean '\(command.invocation) \(meant)'?"
        }
        if command.path == "search" { return Self.searchCorrection(rest, names: names) }
        let choice = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        return "unknown command \(shown); \(command.invocation) takes \(choice)"
    }

    /// The parser's message about invalid arguments, without the usage of every option, which would hide the reason.
    ///
    /// - Parameter message: The parser's full message: `Error:` with the reason, what the argument is for, and the usage.
    func refusal(_ message: String) -> String {
        let lines = message.split(separator: "\n").prefix { !$0.hasPrefix("Usage:") }
        let reason = lines.map { line in
            let text = line.hasPrefix("Error: ") ? line.dropFirst("Error: ".count) : line
            return text.hasPrefix("Help:") ? text.dropFirst("Help:".count).drop { $0 == " " } : text
        }
        return reason.joined(separator: "\n") + "\nSee: \(command.invocation) --help"
    }

    /// The message about a search without its kind, which is the most common mistake. Its example treats a first word with nine or more digits as an
    /// ISBN, and anything else as a title.
    private static func searchCorrection(_ words: ArraySlice<String>, names: [String]) -> String {
        let digits = words.first.map { $0.filter(\.isNumber).count } ?? 0
        let kind = digits >= 9 ? "isbn" : "title"
        let query = words.prefix { !$0.hasPrefix("-") }.joined(separator: " ")
        let choice = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        return "search needs a kind: \(choice); for example: bookstrack search \(kind) \(query)"
    }
}

/// Finds the most similar word.
enum SpellingSuggestion {
    /// The closest candidate, if it differs by at most a third of its letters, or by one letter.
    static func closest(to word: String, among candidates: [String]) -> String? {
        let near = candidates.map { (candidate: $0, distance: distance(word.lowercased(), $0)) }
            .min { $0.distance < $1.distance }
        guard let near, near.distance <= max(1, near.candidate.count / 3) else { return nil }
        return near.candidate
    }

    /// The minimum number of insertions, deletions, replacements and swaps of adjacent letters that turn one word into the other (optimal string
    /// alignment).
    static func distance(_ from: String, _ to: String) -> Int {
        let (a, b) = (Array(from), Array(to))
        var rows = [Array(0...b.count)]
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
