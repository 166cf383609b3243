/// `bookstrack(1)`, written with the macros of man(7): all help texts on one page.
struct ManualPage {
    let suite: CommandDescription
    let version: String

    var text: String {
        (head + description + suite.all.dropFirst().flatMap(command) + options(of: suite) + environment + statuses
            + files)
            .joined(separator: "\n") + "\n"
    }

    private var head: [String] {
        [
            ".TH BOOKSTRACK 1 \"\" \"BooksTrack \(Self.quoted(version))\" \"BooksTrack Manual\"",
            ".SH NAME", "bookstrack \\- \(Self.escaped((suite.abstract ?? "").firstLowercased))",
            ".SH SYNOPSIS", ".B bookstrack", "\\fIcommand\\fR [\\fIoptions\\fR]",
        ]
    }

    private var description: [String] {
        [".SH DESCRIPTION"] + prose(suite.discussion) + [".SH COMMANDS"]
    }

    private func command(_ command: CommandDescription) -> [String] {
        let notes = VerbNotes.of(command.path)
        let parts = command.usage.dropFirst().map { Self.escaped($0) }.joined(separator: " ")
        return [
            ".SS \"\(Self.quoted(command.invocation))\"", "\\fB\(Self.escaped(command.invocation))\\fR \(parts)", ".PP",
        ]
            + prose(command.abstract)
            + (command.discussion?.isEmpty == false ? [".PP"] + prose(command.discussion) : [])
            + command.shown.filter { !$0.isUniversal }.flatMap(argument)
            + (notes.examples.isEmpty ? [] : [".PP", "Examples:"])
            + notes.examples.flatMap {
                [".PP", Self.escaped("\($0.purpose):"), ".EX", "    " + Self.escaped($0.command), ".EE"]
            }
            + (notes.statuses.isEmpty ? [] : [".PP", "Exit status:"]) + rows(notes.statuses)
    }

    private func argument(_ argument: CommandDescription.Argument) -> [String] {
        [".TP", "\\fB\(Self.escaped(argument.label))\\fR", Self.escaped(argument.explanation)]
    }

    private func options(of command: CommandDescription) -> [String] {
        [".SH OPTIONS", "Every command has these options."] + command.shown.filter(\.isUniversal).flatMap(argument)
    }

    private var environment: [String] {
        let variables = [
            ("BOOKSTRACK_URL", "Address of the API, unless --url is given."),
            ("SSL_CERT_FILE", "PEM file of certificate authorities that are trusted instead of the system's."),
            ("BOOKSTRACK_RUNTIME_DIR", "Directory for the services' sockets."),
            ("BOOKSTRACK_DATA_DIR", "Directory for the databases, covers and uploaded files."),
            ("PAGER", "Program that shows long output: less \\-FRX by default; an empty value or cat disables paging."),
            ("NO_COLOR", "Disables colors if not empty."),
        ]
        let settings = "\\fBbookstrack config\\fR shows the effective settings and where each one comes from."
        return [".SH ENVIRONMENT", settings]
            + variables.flatMap { [".TP", ".B \($0.0)", $0.1] }
    }

    private var statuses: [String] { [".SH \"EXIT STATUS\""] + rows(VerbNotes.of("").statuses) }

    private var files: [String] {
        let content = "Tokens of the jobs started from this account, and lists that were not submitted completely."
        return [".SH FILES", ".TP", ".I $XDG_STATE_HOME/bookstrack", content]
    }

    private func rows(_ statuses: [(status: ExitStatus, meaning: String)]) -> [String] {
        statuses.flatMap { [".TP", "\\fB\($0.status.rawValue)\\fR", Self.escaped($0.meaning)] }
    }

    /// Paragraphs, one line each.
    private func prose(_ text: String?) -> [String] {
        let lines = (text ?? "").split(separator: "\n").map { [Self.escaped(String($0))] }
        return Array(lines.joined(separator: [".PP"]))
    }

    /// Text in which nothing is read as a request or an escape (groff(7)), and whose hyphens can be pasted into a shell.
    private static func escaped(_ text: String) -> String {
        let safe = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
            .replacing("'", with: "\\(aq").replacing("~", with: "\\(ti").replacing("^", with: "\\(ha")
        return safe.hasPrefix(".") ? "\\&" + safe : safe
    }

    /// Text as an argument of a troff request.
    private static func quoted(_ text: String) -> String { escaped(text).replacing("\"", with: "\\(dq") }
}

extension String {
    fileprivate var firstLowercased: String { prefix(1).lowercased() + dropFirst() }
}
