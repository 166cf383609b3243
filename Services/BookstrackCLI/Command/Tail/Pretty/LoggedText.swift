import Observability

/// What was logged, in lines of a width.
enum LoggedText {
    /// The message and then its metadata, which takes lines of its own where the message leaves no room.
    ///
    /// - Parameters:
    ///   - event: What the line belongs to; its identifiers are not said again.
    ///   - columns: nil for lines of any length.
    static func lines(_ line: TailEvent.Line, of event: TailEvent, columns: Int?) -> [StyledText] {
        let message = UntrustedText.lines(line.message).flatMap { wrap($0, columns) }
        var lines = message.map { StyledText($0) }
        let said = ["requestId": event.requestId, "jobId": event.jobId]
        let fields = (line.metadata ?? [:]).filter { $0.value != said[$0.key] }.sorted { $0.key < $1.key }
            .map { UntrustedText.line($0.key) + "=" + UntrustedText.line($0.value) }.joined(separator: " ")
        guard !fields.isEmpty else { return lines.isEmpty ? [StyledText()] : lines }
        let room = columns.map { $0 - (lines.last?.columns ?? 0) - 2 } ?? .max
        if let last = lines.indices.last, DisplayWidth.of(fields) <= room {
            lines[last].append("  " + fields, .dim)
        } else {
            lines += wrap(fields, columns).map { StyledText($0, .dim) }
        }
        return lines
    }

    static func lines(_ exception: TailEvent.Exception, columns: Int?) -> [StyledText] {
        let text = exception.message.isEmpty ? exception.name : exception.name + ": " + exception.message
        return UntrustedText.lines(text).flatMap { wrap($0, columns) }.map { StyledText($0, .red) }
    }

    private static func wrap(_ line: String, _ columns: Int?) -> [String] {
        guard let columns, DisplayWidth.of(line) > columns else { return [line] }
        return TextWrap.lines(line, columns: columns)
    }
}
