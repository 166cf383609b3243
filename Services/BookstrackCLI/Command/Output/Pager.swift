import Foundation

/// A program that shows long output page by page.
struct Pager {
    private static let usual = "less -FRX"

    /// Run by the shell.
    let command: String

    /// The pager that the environment asks for, else `less`; nil where none is wanted: for text that fits on the screen, where a terminal is
    /// missing or dumb, and with `PAGER` set to nothing or `cat`.
    static func standard(for text: String) -> Pager? {
        guard let rows = StandardStreams.outputRows, let columns = StandardStreams.outputColumns else { return nil }
        guard isatty(STDIN_FILENO) == 1, isLong(text, rows: rows, columns: columns) else { return nil }
        return Pager(environment: ProcessInfo.processInfo.environment, finds: isInstalled)
    }

    /// - Parameter finds: Whether a program can be run by its name.
    init?(environment: [String: String], finds: (String) -> Bool) {
        let asked = environment["PAGER"]?.trimmingCharacters(in: .whitespaces)
        guard environment["TERM"] != "dumb", asked != "", asked != "cat" else { return nil }
        command = asked ?? Self.usual
        guard command.split(separator: " ").first.map({ finds(String($0)) }) == true else { return nil }
    }

    /// Whether a text takes more rows than the terminal has, beside the row of the shell's prompt.
    static func isLong(_ text: String, rows: Int, columns: Int) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0)
        let needed = lines.reduce(0) { $0 + max(1, (DisplayWidth.of($1) + columns - 1) / max(1, columns)) }
        return needed >= rows
    }

    /// Shows the text and returns when the reader has left the pager. Ctrl-C belongs to the pager meanwhile.
    func show(_ text: String) {
        fflush(nil)
        guard let pipe = popen(command, "w") else { return StandardStreams.writeOutput(text) }
        let interrupt = signal(SIGINT, SIG_IGN)
        let broken = signal(SIGPIPE, SIG_IGN)
        // A reader who leaves before the end has seen enough.
        _ = StandardStreams.write(text, to: fileno(pipe))
        pclose(pipe)
        signal(SIGPIPE, broken)
        signal(SIGINT, interrupt)
    }

    private static func isInstalled(_ program: String) -> Bool {
        guard !program.contains("/") else { return access(program, X_OK) == 0 }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}
