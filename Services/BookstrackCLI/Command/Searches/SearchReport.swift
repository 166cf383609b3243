import ServiceKit

/// What a search prints and how it ends.
struct SearchReport: Equatable {
    /// For standard output.
    var output = ""
    /// Lines for standard error.
    var notes: [String] = []
    var status = ExitStatus.success

    /// Notes that nothing was found for a request.
    mutating func miss(_ request: SearchRequest) {
        notes.append("Nothing was found for \(request.phrase).")
        if status == .success { status = .incomplete }
    }

    /// Notes that a request of several failed.
    mutating func fail(_ request: SearchRequest, _ failure: CommandFailure) {
        notes.append("bookstrack: \(request.phrase): \(failure.message)")
        if status == .success || status == .incomplete { status = failure.status }
    }

    /// Notes what to know about an answer.
    mutating func warn(_ warnings: [String]) {
        for warning in warnings where !notes.contains(warning) { notes.append(warning) }
    }

    /// Writes what was found to standard output, and the notes to standard error.
    func write(_ options: OutputOptions) {
        options.write(output)
        let lines = notes.flatMap { note in
            StandardStreams.errorColumns.map { TextWrap.lines(note, columns: $0) } ?? [TerminalText.line(note)]
        }
        StandardStreams.writeError(lines.map { $0 + "\n" }.joined())
    }
}
