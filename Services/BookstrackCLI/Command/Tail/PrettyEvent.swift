import Observability
import SuiteMethods

/// An event as text for users: one line, or two on a narrow terminal, and below them the log lines and exceptions that occurred during the event.
///
///     14:03:59.042  proxy   500        812 ms  GET /v1/search/isbn?isbn=9780441172719  req 0e0e4736
///          +811 ms  error      the provider does not answer  provider=openlibrary
struct PrettyEvent {
    private static let gap = "  "
    private static let clockColumns = 12
    private static let durationColumns = 7
    /// Minimum width left for a subject that needs it; identifiers are shortened or omitted first.
    private static let minSubjectColumns = 24
    /// On narrower terminals, the lines below an event have no times.
    private static let roomyColumns = 72

    let shown: ServiceEvent
    let services: ServiceColumn
    let time: LocalTime
    /// Width of the terminal; nil if lines may have any length.
    let columns: Int?

    private var event: TailEvent { shown.event }

    /// The lines, at most as wide as the terminal.
    var lines: [StyledText] {
        var begin = beginning
        let room = columns.map { $0 - begin.columns - Self.gap.count }
        let below: [StyledText]
        if let columns, let room, room < roomNeeded {
            below = [begin] + text(behind: StyledText(Self.gap), max(16, columns - Self.gap.count)) + notes
        } else {
            begin.append(Self.gap)
            below = text(behind: begin, room) + notes
        }
        return dropped + below.map { line in columns.map { line.cut(to: $0) } ?? line }
    }

    /// Minimum width for the subject or the log line. If less is left after the time, service and outcome, this text starts on the next line.
    private var roomNeeded: Int {
        event.kind == .log ? Self.minSubjectColumns : min(Self.minSubjectColumns, EventSubjectText.of(event).columns)
    }

    /// The subject, or a single log line.
    private func text(behind begin: StyledText, _ room: Int?) -> [StyledText] {
        event.kind == .log ? logged(behind: begin, room) : [headline(begin, room)]
    }

    private var dropped: [StyledText] {
        guard shown.dropped > 0 else { return [] }
        let text = TailText.dropped(shown.dropped, of: shown.service)
        return (columns.map { TextWrap.lines(text, columns: $0) } ?? [text]).map { StyledText($0, .yellow) }
    }

    /// Time, service, outcome and duration.
    private var beginning: StyledText {
        var line = StyledText(time.clock(event.eventTimestamp), .dim)
        line.append(Self.gap)
        if let name = services.text(shown.service, columns: columns) {
            line.append(name)
            line.append(Self.gap)
        }
        var outcome = EventOutcomeText.of(event)
        outcome.pad(to: EventOutcomeText.columns)
        line.append(outcome)
        if event.kind != .log {
            let duration = event.durationMs.map(DurationText.of(milliseconds:)) ?? ""
            line.append(" " + DisplayWidth.right(duration, Self.durationColumns), slow ? .yellow : .plain)
        }
        return line
    }

    private var slow: Bool { event.durationMs.map { $0 >= 1_000 } ?? false }

    private func headline(_ beginning: StyledText, _ room: Int?) -> StyledText {
        var line = beginning
        let subject = EventSubjectText.of(event)
        let kept = room.map { min(subject.columns, max(Self.minSubjectColumns, $0 / 2)) } ?? 0
        let identifiers =
            EventSubjectText.identifiers(event).first { form in
                room.map { form.columns + Self.gap.count + kept <= $0 } ?? true
            } ?? StyledText()
        let taken = identifiers.columns == 0 ? 0 : identifiers.columns + Self.gap.count
        line.append(room.map { subject.cut(to: $0 - taken) } ?? subject)
        if taken > 0 {
            line.append(Self.gap)
            line.append(identifiers)
        }
        return line
    }

    /// A single log line; if it is wrapped, its further lines are aligned with the start of its message.
    private func logged(behind beginning: StyledText, _ room: Int?) -> [StyledText] {
        guard let line = event.logs.first else { return [beginning] }
        return Self.hang(LoggedText.lines(line, of: event, columns: room), behind: beginning)
    }

    private var notes: [StyledText] {
        // The only line of a log event has already been shown as its text.
        guard event.kind != .log else { return [] }
        let isRoomy = columns.map { $0 >= Self.roomyColumns } ?? true
        let indent = isRoomy ? Self.clockColumns : 2
        let room = columns.map { max(16, $0 - indent - EventOutcomeText.columns - 2 * Self.gap.count) }
        let logs = event.logs.map { line in
            (line.timestamp, EventOutcomeText.of(line.level), LoggedText.lines(line, of: event, columns: room))
        }
        let exceptions = event.exceptions.map { exception in
            (exception.timestamp, StyledText("exception", .red), LoggedText.lines(exception, columns: room))
        }
        let sorted = (logs + exceptions).enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        let lines = sorted.flatMap { _, note in
            var begin = StyledText(isRoomy ? DisplayWidth.right(offset(note.0), indent) : "", .dim)
            begin.pad(to: indent)
            begin.append(Self.gap)
            begin.append(note.1)
            begin.pad(to: indent + Self.gap.count + EventOutcomeText.columns)
            begin.append(Self.gap)
            return Self.hang(note.2, behind: begin)
        }
        guard let missing = event.droppedNotes, missing > 0 else { return lines }
        let indentation = String(repeating: " ", count: indent) + Self.gap
        return lines + [StyledText(indentation + "… and \(missing) more that were not stored", .yellow)]
    }

    private func offset(_ time: Int64) -> String {
        let (span, overflows) = time.subtractingReportingOverflow(event.eventTimestamp)
        let milliseconds = overflows ? 0 : max(0, span)
        return "+" + (milliseconds < 10 ? "\(milliseconds) ms" : DurationText.of(milliseconds: Double(milliseconds)))
    }

    /// Puts `begin` before the first line and indents the others.
    private static func hang(_ lines: [StyledText], behind begin: StyledText) -> [StyledText] {
        let indentation = StyledText(String(repeating: " ", count: begin.columns))
        return lines.enumerated().map { number, line in
            var whole = number == 0 ? begin : indentation
            whole.append(line)
            return whole
        }
    }
}

/// The column with the service's name; omitted if only one service is followed.
struct ServiceColumn {
    let services: [ServiceInstance]

    /// On narrower terminals, services have short names to leave room for the rest of the line.
    private static let roomyColumns = 110

    /// The name, padded to the width of the longest; nil if there is no such column.
    func text(_ service: ServiceInstance, columns: Int?) -> StyledText? {
        guard services.count > 1 else { return nil }
        let isRoomy = columns.map { $0 >= Self.roomyColumns } ?? true
        let names = services.map { isRoomy ? $0.name : Self.short($0) }
        var text = StyledText(isRoomy ? service.name : Self.short(service), Self.style(service))
        text.pad(to: names.map(\.count).max() ?? 0)
        return text
    }

    private static func short(_ service: ServiceInstance) -> String {
        switch service.service {
        case .apiProxy: "proxy"
        case .progressHost: "host"
        case .enrichmentWorker: service.worker.map { $0 == .main ? "worker" : "worker-\($0.text)" } ?? "worker"
        }
    }

    private static func style(_ service: ServiceInstance) -> ANSIStyle {
        switch service.service {
        case .apiProxy: .cyan
        case .progressHost: .magenta
        case .enrichmentWorker: .blue
        }
    }
}

/// Log lines and exceptions, wrapped to a given width.
enum LoggedText {
    /// The message and then its metadata, on separate lines if there is no room beside the message.
    ///
    /// - Parameters:
    ///   - event: The line's event; its identifiers are not repeated.
    ///   - columns: nil if lines may have any length.
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
