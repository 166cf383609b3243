import HTTPTypes
package import Logging

extension TailEvent {
    /// An entry without what is secret.
    ///
    /// - Parameter level: Minimum level of the lines that are shown; nil shows all.
    package init(_ entry: TailEntry, level: Logger.Level? = nil) {
        kind = entry.kind
        outcome = entry.outcome
        eventTimestamp = entry.time
        durationMs = entry.duration.map { ($0 / .microseconds(1)).rounded() / 1_000 }
        requestId = entry.trace?.requestID
        traceId = entry.trace?.traceID
        jobId = entry.jobID
        event = Subject(entry.subject)
        logs = entry.lines.filter { line in level.map { line.level >= $0 } ?? true }.map(Line.init)
        let noted = entry.activity?.noted
        exceptions =
            noted?.exceptions.map { .init(timestamp: $0.time, name: $0.name, message: Redaction.text($0.message)) }
            ?? []
        droppedNotes = noted.flatMap { $0.dropped == 0 ? nil : $0.dropped }
    }
}

extension TailEvent.Subject {
    fileprivate init?(_ subject: TailSubject) {
        switch subject {
        case .request(let request):
            self.init(request: .init(request), response: request.status.map(TailEvent.Response.init))
        case .rpc(let call): self.init(rpc: .init(method: call.method, peerPid: call.peerPID, code: call.code))
        case .job(let step):
            self.init(job: .init(step: step.name, index: step.index, result: step.result, code: step.code))
        case .log: return nil
        }
    }
}

extension TailEvent.Request {
    fileprivate init(_ request: TailSubject.Request) {
        let headers = Dictionary(
            request.fields().map { ($0.name.canonicalName, Redaction.value(ofField: $0.name.canonicalName, $0.value)) },
            uniquingKeysWith: { "\($0), \($1)" })
        self.init(
            method: request.method, url: Redaction.text(request.target), headers: headers, address: request.address())
    }
}

extension TailEvent.Line {
    fileprivate init(_ line: LoggedLine) {
        self.init(
            timestamp: line.time, level: line.level, message: line.message,
            metadata: line.metadata.isEmpty ? nil : line.metadata.mapValues { "\($0)" })
    }
}
