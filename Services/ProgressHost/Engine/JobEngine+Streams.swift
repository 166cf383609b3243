import BookstrackContract
import SuiteMethods

extension JobEngine {
    /// Begins a socket's stream: what has happened so far, in the way the client asked for, then live events (spec/03 "Life of a
    /// connection").
    func begin(_ key: SocketKey, _ turn: Turn) throws {
        guard let session = sessions[key], let number = session.job else { return }
        guard let row = try row(number, turn) else {
            return close([key], code: .internalError, reason: "the job is no longer kept")
        }
        let stream = Stream(key: key, row: row, composer: try composer(row, turn), turn: turn)
        switch (session.handshake.opening, session.v1) {
        case (.resumed(let seq), true): if seq < row.lastSeq { try beginV1(stream) }
        case (_, true): try beginV1(stream)
        case (.fresh, false): try beginFresh(stream)
        case (.reconnected, false): try beginReconnected(stream)
        case (.since(let seq), false): try beginSince(seq, stream)
        case (.resumed(let seq), false): try goOn(after: seq, stream)
        }
        if let code = row.status.closeCode { close([key], code: code, reason: "job \(row.status.rawValue)") }
    }

    /// Closes everybody who saw a job's terminal event; those that still wait for `ready` get it when their stream begins.
    func closeWatchers(of row: JobRow) {
        guard let code = row.status.closeCode else { return }
        let live = sessions.watchers(of: row.number).filter { sessions[$0]?.isLive == true }
        close(Array(live), code: code, reason: "job \(row.status.rawValue)")
    }

    /// What beginning a stream needs to know.
    private struct Stream {
        let key: SocketKey
        let row: JobRow
        let composer: FrameComposer
        let turn: Turn

        /// Whether every event after `seq` is kept.
        func isKept(after seq: Int) -> Bool { seq >= row.recoverableFrom && seq <= row.lastSeq }
    }

    private func beginFresh(_ stream: Stream) throws {
        guard stream.row.endedAt == nil else { return try sendTerminal(stream) }
        let events = [
            try stream.turn.jobs.startEvent(job: stream.row.number),
            try stream.turn.jobs.newestProgress(job: stream.row.number),
        ]
        for case let event? in events {
            deliver(event.frame, kind: event.kind.delivery, seq: event.seq, to: [stream.key])
        }
    }

    private func beginReconnected(_ stream: Stream) throws {
        deliver(
            try stream.composer.reconnected(seq: stream.row.lastSeq, recovered: false), kind: .control,
            seq: stream.row.lastSeq, to: [stream.key])
        if stream.row.endedAt != nil { try sendTerminal(stream) }
    }

    private func beginSince(_ seq: Int, _ stream: Stream) throws {
        guard stream.isKept(after: seq) else { return try beginReconnected(stream) }
        deliver(
            try stream.composer.reconnected(seq: seq, recovered: true), kind: .control, seq: seq, to: [stream.key])
        try replay(after: seq, stream)
    }

    /// Goes on unseen by the client, unless events are missing that it has to know of.
    private func goOn(after seq: Int, _ stream: Stream) throws {
        if seq < stream.row.recoverableFrom { try beginReconnected(stream) } else { try replay(after: seq, stream) }
    }

    /// Of a job that is over the terminal event is always among what is sent, also to who knows its number: never a close in silence.
    private func replay(after seq: Int, _ stream: Stream) throws {
        let seq = stream.row.endedAt == nil ? seq : min(seq, stream.row.lastSeq - 1)
        for event in try stream.turn.jobs.events(job: stream.row.number, after: seq) {
            let kind = event.kind.isTerminal ? event.kind.delivery : .replayed
            deliver(event.frame, kind: kind, seq: event.seq, to: [stream.key])
        }
    }

    private func sendTerminal(_ stream: Stream) throws {
        guard let event = try terminalEvent(stream) else { return }
        deliver(event.frame, kind: .terminal, seq: event.seq, to: [stream.key])
    }

    private func terminalEvent(_ stream: Stream) throws -> StoredEvent? {
        try stream.turn.jobs.events(job: stream.row.number, after: stream.row.lastSeq - 1).last
    }

    private func beginV1(_ stream: Stream) throws {
        let kind = stream.row.endedAt == nil ? EventKind.progress : try terminalEvent(stream)?.kind ?? .progress
        deliver(
            try v1Frame(kind, composer: stream.composer, stream.turn), kind: kind.delivery, seq: stream.row.lastSeq,
            to: [stream.key])
    }
}

extension JobStatus {
    /// How sockets of a job that is over are closed (spec/03 "Close codes"); nil while it is not over.
    var closeCode: CloseCode? {
        switch self {
        case .completed: .normal
        case .cancelled: .goingAway
        case .failed: .internalError
        case .pending, .processing, .cancelling: nil
        }
    }
}
