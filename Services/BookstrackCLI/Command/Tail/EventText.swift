import JSONRPC
import Logging
import NIOCore
import Observability
import SuiteMethods

/// Formats events for standard output.
struct EventText {
    let format: TailFormat
    let services: ServiceColumn
    let colors: Bool
    let time: LocalTime
    /// The day of the last event; at first, today.
    private var day: String

    /// - Parameter today: The current time, in milliseconds since 1970. A date is shown above the first event only if that event is from another day.
    init(format: TailFormat, services: [ServiceInstance], colors: Bool, time: LocalTime = LocalTime(), today: Int64) {
        self.format = format
        self.services = ServiceColumn(services: services)
        self.colors = colors
        self.time = time
        day = time.day(today)
    }

    /// - Parameter columns: Width of the terminal; nil if lines may have any length.
    mutating func text(_ events: [ServiceEvent], columns: Int?) -> String {
        events.map { format == .json ? json($0) : pretty($0, columns) }.joined()
    }

    private func json(_ event: ServiceEvent) -> String {
        guard let json = try? BodyCoding.encode(event) else { return "" }
        return UntrustedText.json(String(buffer: json)) + "\n"
    }

    private mutating func pretty(_ event: ServiceEvent, _ columns: Int?) -> String {
        let newDay = time.day(event.time)
        defer { day = newDay }
        let heading = newDay == day ? [] : [StyledText(newDay, .bold)]
        let lines = PrettyEvent(shown: event, services: services, time: time, columns: columns).lines
        return (heading + lines).map { $0.text(colors: colors) + "\n" }.joined()
    }
}

/// The outcome of an event: an HTTP status, a word, or both ("404 error"); for a log line, its level.
enum EventOutcomeText {
    /// Width of the longest text.
    static let columns = 9

    static func of(_ event: TailEvent) -> StyledText {
        if event.kind == .log, let line = event.logs.first { return of(line.level) }
        switch (event.outcome, event.event?.response?.status) {
        case (.canceled, _): return StyledText("canceled", .yellow)
        case (.error, let status?) where status < 500: return StyledText("\(status) error", .red)
        case (_, let status?): return StyledText("\(status)", style(ofStatus: status))
        case (.error, nil): return StyledText("error", .red)
        case (.ok, nil): return StyledText("ok", .green)
        }
    }

    static func of(_ level: Logger.Level) -> StyledText {
        switch level {
        case .critical, .error: StyledText(level.rawValue, .red)
        case .warning: StyledText(level.rawValue, .yellow)
        case .notice: StyledText(level.rawValue, .cyan)
        case .info: StyledText(level.rawValue)
        case .debug, .trace: StyledText(level.rawValue, .dim)
        }
    }

    private static func style(ofStatus status: Int) -> ANSIStyle {
        switch status {
        case ..<300: .green
        case ..<400: .cyan
        case ..<500: .yellow
        default: .red
        }
    }
}

/// The subject of an event, and its identifiers.
enum EventSubjectText {
    /// Length of an abbreviated identifier.
    private static let shortLength = 8

    /// The request, the call or the step; empty for a single log line.
    static func of(_ event: TailEvent) -> StyledText {
        guard let subject = event.event else { return StyledText() }
        if let request = subject.request { return text(of: request) }
        if let call = subject.rpc { return text(of: call) }
        return subject.job.map { text(of: $0) } ?? StyledText()
    }

    /// The client, the request and the job, in forms from the longest to the shortest, which is empty.
    static func identifiers(_ event: TailEvent) -> [StyledText] {
        let address = event.event?.request?.address.map { "from " + UntrustedText.line($0) }
        let request = event.requestId.map { "req " + UntrustedText.line(shortRequest($0)) }
        let job = event.jobId.map { "job " + UntrustedText.line($0) }
        let shortJob = event.jobId.map { "job " + UntrustedText.line($0.prefix(shortLength)) }
        let forms = [[address, request, job], [request, job], [request, shortJob], [shortJob ?? request], []]
        return forms.map { StyledText($0.compactMap { $0 }.joined(separator: "  "), .dim) }
    }

    /// The end of an identifier; all of one with up to 16 characters, because clients usually choose short ones. The end of a trace identifier is
    /// random (W3C Trace Context, level 2, "Randomness of trace-id"); the start may be the same in all identifiers from one process.
    private static func shortRequest(_ identifier: String) -> Substring {
        identifier.suffix(identifier.count <= 2 * shortLength ? 2 * shortLength : shortLength)
    }

    private static func text(of request: TailEvent.Request) -> StyledText {
        var text = StyledText(UntrustedText.line(request.method), .bold)
        text.append(" " + UntrustedText.line(request.url))
        return text
    }

    private static func text(of call: TailEvent.Call) -> StyledText {
        var text = StyledText("rpc ", .dim)
        text.append(UntrustedText.line(call.method), .bold)
        if let code = call.code { text.append(" " + UntrustedText.line(code), .yellow) }
        return text
    }

    private static func text(of step: TailEvent.Step) -> StyledText {
        var text = StyledText("job ", .dim)
        text.append(step.step.rawValue.replacing("_", with: " "), .bold)
        if let index = step.index { text.append(" #\(index)") }
        if let result = step.result { text.append(" " + UntrustedText.line(result)) }
        if let code = step.code { text.append(" " + UntrustedText.line(code), .yellow) }
        return text
    }
}
