import Foundation

/// Asks a person before something that cannot be taken back.
struct Confirmation {
    /// Whether standard input is a terminal.
    var isTerminal = isatty(STDIN_FILENO) == 1
    /// Shows the question and reads a line; nil at the end of the input.
    var ask: (String) -> String? = { question in
        StandardStreams.writeError(question)
        return readLine()
    }

    /// Whether the answer is yes; every other answer is no. Throws `CommandFailure` where standard input is not a terminal.
    func confirms(_ question: String) throws -> Bool {
        guard isTerminal else { throw CommandFailure(.usage, "not running interactively; pass --yes to confirm") }
        let answer = ask(question + " [y/N] ") ?? ""
        return ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
    }
}
