import Foundation
import ServiceKit

/// Standard output and standard error of the process.
enum StandardStreams {
    /// Writes results. If the reader has exited, as with `head`, the process ends as if by SIGPIPE, which NIO ignores. After any other error, such as
    /// a full disk, it ends with a message.
    static func writeOutput(_ text: String) {
        switch write(text, to: STDOUT_FILENO) {
        case nil: return
        case EPIPE: exit(128 + SIGPIPE)
        case let fault?:
            writeMessage("bookstrack: cannot write to standard output: \(String(cString: strerror(fault)))")
            exit(ExitStatus.cannotWrite.rawValue)
        }
    }

    /// Writes progress and messages; errors are ignored.
    static func writeError(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// Writes a message for the user on its own lines; on a terminal they are wrapped between words.
    static func writeMessage(_ text: String) {
        let lines = errorColumns.map { TextWrap.message(text, columns: $0) } ?? [text]
        writeError(lines.map { $0 + "\n" }.joined())
    }

    /// Width of the terminal of standard error, or 80 if it is unknown; nil if it is not a terminal.
    static var errorColumns: Int? { columns(STDERR_FILENO) }

    /// Width of the terminal of standard output, or 80 if it is unknown; nil if it is not a terminal.
    static var outputColumns: Int? { columns(STDOUT_FILENO) }

    /// Height of the terminal of standard output; nil if it is not a terminal or the height is unknown.
    static var outputRows: Int? { size(STDOUT_FILENO).map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil } }

    /// Writes the whole text, waiting for the reader if the descriptor is non-blocking. Returns the error number if a part could not be written.
    static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var text = text
        return text.withUTF8 { DescriptorOutput.write(UnsafeRawBufferPointer($0), to: descriptor).fault }
    }

    private static func columns(_ descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        guard let size = size(descriptor), size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static func size(_ descriptor: Int32) -> winsize? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }
}

/// A program that shows long output page by page.
struct Pager {
    private static let usual = "less -FRX"

    /// The command line, which the shell runs.
    let command: String

    /// The pager named in the environment, otherwise `less`. Nil if the text fits on the screen, if there is no terminal or only a dumb
    /// one, if `PAGER` is empty or `cat`, or if the pager is not installed.
    static func standard(for text: String) -> Pager? {
        guard let rows = StandardStreams.outputRows, let columns = StandardStreams.outputColumns else { return nil }
        guard isatty(STDIN_FILENO) == 1, isLong(text, rows: rows, columns: columns) else { return nil }
        return Pager(environment: ProcessInfo.processInfo.environment, finds: isInstalled)
    }

    /// - Parameter finds: Whether a program with this name can be found and run.
    init?(environment: [String: String], finds: (String) -> Bool) {
        let asked = environment["PAGER"]?.trimmingCharacters(in: .whitespaces)
        guard environment["TERM"] != "dumb", asked != "", asked != "cat" else { return nil }
        command = asked ?? Self.usual
        guard command.split(separator: " ").first.map({ finds(String($0)) }) == true else { return nil }
    }

    /// Whether a string has more rows than the terminal, excluding the row of the shell's prompt.
    static func isLong(_ text: String, rows: Int, columns: Int) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0)
        let needed = lines.reduce(0) { $0 + max(1, (DisplayWidth.of($1) + columns - 1) / max(1, columns)) }
        return needed >= rows
    }

    /// Shows the text and returns when the user has left the pager. Until then, Ctrl-C goes to the pager.
    func show(_ text: String) {
        fflush(nil)
        guard let pipe = popen(command, "w") else { return StandardStreams.writeOutput(text) }
        let interrupt = signal(SIGINT, SIG_IGN)
        let broken = signal(SIGPIPE, SIG_IGN)
        // Errors are ignored, because the user may leave the pager before all of the text is written.
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

/// Asks for confirmation before data is deleted or replaced.
struct Confirmation {
    /// Whether standard input is a terminal.
    var isTerminal = isatty(STDIN_FILENO) == 1
    /// Shows the question and reads a line; nil at the end of the input.
    var ask: (String) -> String? = { question in
        StandardStreams.writeError(question)
        return readLine()
    }

    /// Whether the answer is yes; any other answer means no. Throws `CommandFailure` if standard input is not a terminal.
    func confirms(_ question: String) throws -> Bool {
        guard isTerminal else { throw CommandFailure(.usage, "not running interactively; pass --yes to confirm") }
        let answer = ask(question + " [y/N] ") ?? ""
        return ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
    }
}
