import BookstrackContract
import Logging
import NIOCore
import SuiteMethods

extension JobEngine {
    /// How long streams wait when api-proxy has not yet read what was sent before.
    private static let streamPause = Duration.milliseconds(10)

    /// Begins a socket's stream: what has happened so far, in the way the client asked for, then live events (websocket.md "Connection
    /// lifetime"). At once as far as the turn's budget allows, else in a later turn.
    func begin(_ key: SocketKey, _ turn: Turn) throws {
        guard let session = sessions[key], session.isInLine else { return }
        streams.add(key)
        try serveStreams(turn)
    }

    /// Has sockets get the end of their job when their turn comes: unlike other frames it may be as long as a frame can be, and
    /// what a link cannot hold is lost.
    func lineUp(_ keys: [SocketKey], at place: SocketSession.Place) {
        for key in keys {
            sessions[key]?.place = place
            streams.add(key)
        }
    }

    /// A socket has taken a page of stored events.
    func caughtUp(_ key: SocketKey) {
        guard case .paging(let seq) = sessions[key]?.place else { return }
        sessions[key]?.place = .replaying(after: seq)
        streams.add(key)
        timers.set(.streams, at: .zero)
    }

    /// Goes on with the streams in line, one step each, within the turn's budget and as far as their api-proxy reads what it gets.
    func serveStreams(_ turn: Turn) throws {
        var passed = 0
        while streamBudget > 0, passed < streams.count, let key = streams.next() {
            guard let session = sessions[key], session.isInLine else { continue }
            if let link = links[key.peer], link.bufferedBytes >= policy.streamBytesPerLink {
                streams.add(key)
                passed += 1
            } else {
                try goOn(with: session, key, turn)
            }
        }
        guard !streams.isEmpty else { return }
        timers.setAtLatest(.streams, at: streamBudget > 0 ? turn.now.uptime + Self.streamPause : turn.now.uptime)
    }

    private func goOn(with session: SocketSession, _ key: SocketKey, _ turn: Turn) throws {
        guard let number = session.job, let row = try row(number, turn) else {
            return close([key], code: .internalError, reason: "the job is no longer kept")
        }
        let stream = Stream(key: key, row: row, turn: turn)
        let place =
            if case .replaying(let seq) = session.place { try goOn(after: seq, stream) } else {
                try open(stream, session)
            }
        sessions[key]?.place = place
        if place == .live { conclude([key], of: row, turn) }
    }

    /// Closes everybody who saw a job's terminal event; the others get it when their streams come to it.
    func closeWatchers(of row: JobRow, _ turn: Turn) {
        conclude(sessions.watchers(of: row.number).filter { sessions[$0]?.isLive == true }, of: row, turn)
    }

    /// Closes sockets that have received the terminal frame of their job. Clients of scans and imports fetch the results in the task that
    /// receives frames, which a close would cancel, so they first have ``HostPolicy/clientCloseLimit`` to close (websocket.md "Connection
    /// lifetime").
    private func conclude(_ keys: some Collection<SocketKey>, of row: JobRow, _ turn: Turn) {
        guard let code = row.status.closeCode else { return }
        guard row.status == .completed, row.pipeline != .batchEnrichment else {
            return close(Array(keys), code: code, reason: "job \(row.status.rawValue)")
        }
        let until = turn.now.uptime + policy.clientCloseLimit
        for key in keys {
            sessions[key]?.place = .ended(until: until)
            timers.setAtLatest(.socket(key), at: until)
        }
    }

    /// What sending something of a stream needs to know.
    private struct Stream {
        let key: SocketKey
        let row: JobRow
        let turn: Turn

        /// Whether every event after `seq` is kept.
        func isKept(after seq: Int) -> Bool { seq >= row.recoverableFrom && seq <= row.lastSeq }
    }

    private func send(_ frame: ByteBuffer, kind: SocketDelivery.Kind, seq: Int, _ stream: Stream) {
        streamBudget -= frame.readableBytes
        deliver(frame, kind: kind, seq: seq, to: [stream.key])
    }

    private func open(_ stream: Stream, _ session: SocketSession) throws -> SocketSession.Place {
        switch (session.handshake.opening, session.v1) {
        case (.resumed(let seq), true): if seq < stream.row.lastSeq { return try beginV1(stream) }
        case (_, true): return try beginV1(stream)
        case (.fresh, false): try beginFresh(stream)
        case (.reconnected, false): try beginReconnected(stream)
        case (.since(let seq), false): return try beginSince(seq, stream)
        case (.resumed(let seq), false): return try goOn(after: seq, stream)
        }
        return .live
    }

    private func beginFresh(_ stream: Stream) throws {
        guard stream.row.endedAt == nil else { return try sendEnd(stream) }
        let events = [
            try stream.turn.jobs.startEvent(job: stream.row.number),
            try stream.turn.jobs.newestProgress(job: stream.row.number),
        ]
        for case let event? in events { send(event.frame, kind: event.kind.delivery, seq: event.seq, stream) }
    }

    private func beginReconnected(_ stream: Stream) throws {
        let composer = try composer(stream.row, stream.turn)
        // Of two events that tell an end the first is no news after its number.
        let seq = stream.row.isFailedScan ? stream.row.lastSeq - 2 : stream.row.lastSeq
        send(try composer.reconnected(seq: seq, recovered: false), kind: .control, seq: seq, stream)
        if stream.row.endedAt != nil { try sendEnd(stream) }
    }

    private func beginSince(_ seq: Int, _ stream: Stream) throws -> SocketSession.Place {
        guard stream.isKept(after: seq) else {
            try beginReconnected(stream)
            return .live
        }
        let composer = try composer(stream.row, stream.turn)
        send(try composer.reconnected(seq: seq, recovered: true), kind: .control, seq: seq, stream)
        return try replay(after: seq, stream)
    }

    /// Goes on unseen by the client, unless events are missing that it has to know of.
    private func goOn(after seq: Int, _ stream: Stream) throws -> SocketSession.Place {
        guard seq < stream.row.recoverableFrom else { return try replay(after: seq, stream) }
        try beginReconnected(stream)
        return .live
    }

    /// Sends a page of stored events. Of a job that is over the terminal event is always among what is sent, also to who knows its
    /// number: never a close in silence.
    private func replay(after seq: Int, _ stream: Stream) throws -> SocketSession.Place {
        let seq = stream.row.endedAt == nil ? seq : min(seq, stream.row.lastSeq - 1)
        let events = try stream.turn.jobs.events(
            job: stream.row.number, after: seq, limit: policy.eventsPerPage + 1)
        let page = events.prefix(policy.eventsPerPage)
        let end = events.count > page.count ? page.last?.seq : nil
        for event in page {
            let kind: SocketDelivery.Kind = event.seq == end ? .page : .replayed
            send(event.frame, kind: event.kind.isTerminal ? .terminal : kind, seq: event.seq, stream)
        }
        return end.map { .paging(after: $0) } ?? .live
    }

    private func sendEnd(_ stream: Stream) throws {
        let events = try stream.turn.jobs.events(
            job: stream.row.number, after: stream.row.lastSeq - (stream.row.isFailedScan ? 2 : 1), limit: 2)
        for event in events { send(event.frame, kind: event.kind.delivery, seq: event.seq, stream) }
    }

    private func terminalEvent(_ stream: Stream) throws -> StoredEvent? {
        try stream.turn.jobs.events(job: stream.row.number, after: stream.row.lastSeq - 1, limit: 1).last
    }

    private func beginV1(_ stream: Stream) throws -> SocketSession.Place {
        let kind = stream.row.endedAt == nil ? EventKind.progress : try terminalEvent(stream)?.kind ?? .progress
        // Before the first event there is no number that api-proxy would take for news.
        let delivery = stream.row.lastSeq == 0 ? .control : kind.delivery
        let frame =
            if kind == .completed {
                v1Completions.take(V1Completions.Request(job: stream.row, now: stream.turn.now), for: stream.key)
            } else {
                try v1Frame(kind, composer: composer(stream.row, stream.turn), stream.turn)
            }
        // It is in line again when its frame is made.
        guard let frame else { return .beginning }
        send(frame, kind: delivery, seq: stream.row.lastSeq, stream)
        return .live
    }

    /// A v1 `complete` frame was made, or could not be: the streams that wait for it go on, or their clients come back.
    func completionMade(_ key: V1Completions.Key, _ frame: Result<ByteBuffer, any Error>, _ turn: Turn) throws {
        let sockets = v1Completions.finish(key, try? frame.get())
        if case .failure(let error) = frame {
            logger.error("results cannot be read", metadata: ["error": "\(error)"])
            return close(Array(sockets), code: .tryAgainLater, reason: "the results cannot be read now")
        }
        for socket in sockets { streams.add(socket) }
        try serveStreams(turn)
    }
}

extension JobStatus {
    /// How sockets of a job that is over are closed (websocket.md "Close codes"); nil while it is not over.
    var closeCode: CloseCode? {
        switch self {
        case .completed: .normal
        case .cancelled: .goingAway
        case .failed: .internalError
        case .pending, .processing, .cancelling: nil
        }
    }
}
