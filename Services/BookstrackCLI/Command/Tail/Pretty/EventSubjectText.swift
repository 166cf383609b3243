import Observability

/// What an event is about, and whose it is.
enum EventSubjectText {
    /// Characters of an identifier that show which lines belong together.
    private static let shortLength = 8

    /// The request, the call or the step; empty for a line alone.
    static func of(_ event: TailEvent) -> StyledText {
        guard let subject = event.event else { return StyledText() }
        if let request = subject.request { return text(of: request) }
        if let call = subject.rpc { return text(of: call) }
        return subject.job.map { text(of: $0) } ?? StyledText()
    }

    /// Who asked, the request and the job, from the longest form to the shortest, which is empty.
    static func identifiers(_ event: TailEvent) -> [StyledText] {
        let address = event.event?.request?.address.map { "from " + UntrustedText.line($0) }
        let request = event.requestId.map { "req " + UntrustedText.line(shortRequest($0)) }
        let job = event.jobId.map { "job " + UntrustedText.line($0) }
        let shortJob = event.jobId.map { "job " + UntrustedText.line($0.prefix(shortLength)) }
        let forms = [[address, request, job], [request, job], [request, shortJob], [shortJob ?? request], []]
        return forms.map { StyledText($0.compactMap { $0 }.joined(separator: "  "), .dim) }
    }

    /// At its end a trace's identifier is random (W3C Trace Context, level 2, "Randomness of trace-id"); its beginning may be common to
    /// a process. One that a client made up is short as a rule, and is kept.
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
