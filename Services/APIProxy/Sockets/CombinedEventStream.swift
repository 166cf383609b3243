import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// One event stream that carries several jobs (streams.md "Many jobs on one stream"). Each job is watched for itself; the numbers of an
/// event say how far the stream has come with every job.
///
/// Confined to the channel's event loop.
final class CombinedEventStream {
    /// Bytes that may wait in all for a client that reads slowly. A job's own limits are those of a single stream.
    static let byteLimit = 1 << 20

    let body: EventStreamBody
    private(set) var members: [StreamedJob] = []
    /// Jobs that were over, with the number of the last event, which the client has.
    private var finished: [(jobId: JobID, seq: Int?)] = []

    init(_ exchange: LoopExchange, _ shard: SocketShard) { body = EventStreamBody(exchange, shard) }

    func add(_ member: StreamedJob) { members.append(member) }

    /// How far the stream has come with each job.
    private var position: String {
        JobSelection.position(finished + members.map { ($0.request.jobId, $0.seq) })
    }

    /// Bytes that wait for the client.
    var waitingBytes: Int { members.reduce(0) { $0 + $1.state.waitingBytes } }

    /// Begins the answer; false if the request wants the head only. `notices` are the first events.
    func begin(_ fields: HTTPFields, notices: [Notice]) -> Bool {
        guard body.begin(fields) else { return false }
        for notice in notices { write(notice) }
        body.flush()
        body.planHeartbeat { [weak self] in self?.members.contains { $0.state.phase == .open } ?? false }
        for member in members { member.begin() }
        return true
    }

    func write(_ frame: ByteBuffer) { body.write(EventStreamText.event(id: position, frame: frame)) }

    /// A notice has no number: it is no event of a job, and the client keeps the number of the event before it (HTML standard §9.2.6).
    private func write(_ notice: Notice) {
        body.write(EventStreamText.event(id: nil, type: notice.type.rawValue[...], data: JSONBody.encode(notice)))
    }

    /// The client has not the whole of a job: a later stream is to continue where this one ends.
    func end(_ code: CloseCode) {
        body.end(code)
        abandonMembers()
    }

    /// A job is over, and its end is written.
    func ended(_ member: StreamedJob, _ code: CloseCode) {
        leave(member)
        write(Notice(.unwatched, member.request.jobId, code: code == .policyViolation ? .unauthorized : nil))
        guard members.isEmpty else { return body.flush() }
        body.end(.normal)
    }

    /// Forgets a job whose client has its last event.
    func leave(_ member: StreamedJob) {
        members.removeAll { $0 === member }
        finished.append((member.request.jobId, member.seq))
    }

    /// Forgets a job that the client may not watch.
    func remove(_ member: StreamedJob) { members.removeAll { $0 === member } }

    /// The connection is over, or nothing was answered.
    func abandon() {
        body.abandon()
        abandonMembers()
    }

    private func abandonMembers() {
        let members = members
        self.members = []
        for member in members { member.end() }
    }
}

extension CombinedEventStream {
    /// Says of a job that the stream does not carry it, or no longer.
    struct Notice: Encodable {
        enum Kind: String, Encodable {
            case refused = "watch_refused"
            case unwatched
        }

        let type: Kind
        let jobId: JobID
        /// Why, unless the job is over.
        let code: APIErrorCode?

        init(_ type: Kind, _ jobId: JobID, code: APIErrorCode?) {
            self.type = type
            self.jobId = jobId
            self.code = code
        }
    }
}

/// One job on a stream of several.
final class StreamedJob: Watcher {
    var codec: FrameCodec { .frame }

    let id: SocketID
    let request: SocketRequest
    let shard: SocketShard
    var state: WatcherState
    /// Nil once the stream is gone, which progress-host's answer may outlive.
    private weak var stream: CombinedEventStream?

    init(
        id: SocketID, request: SocketRequest, place: SocketLimiter.Place, shard: SocketShard,
        stream: CombinedEventStream
    ) {
        self.id = id
        self.request = request.withoutToken
        self.shard = shard
        self.stream = stream
        state = WatcherState(place: place)
    }

    var channel: (any Channel)? { stream?.body.channel }
    var waitingElsewhere: Int { stream.map { $0.waitingBytes - state.waitingBytes } ?? 0 }

    /// What was written. The watcher's own ledger also has what waits.
    private var written = DeliveryLedger()

    /// `seq` from which a later stream is to continue; nil if the client has nothing yet.
    var seq: Int? { written.isPlaced ? written.lastSeq : request.since }

    func begin() {
        shard.tell(.streamOpened, of: self)
        if case .draining = state.phase { watchDraining() }
        drain()
    }

    func write(_ bytes: ByteBuffer, _ kind: SocketDelivery.Kind, seq: Int) {
        _ = written.admit(kind, seq: seq)
        stream?.write(bytes)
        shard.flushSoon(self)
    }

    func flush() {
        state.isDirty = false
        stream?.body.flush()
    }

    func sendEnd(_ code: CloseCode, reason: String) {
        tellEnd(code)
        leave()
        switch code {
        case .serviceRestart, .tryAgainLater:
            stream?.remove(self)
            stream?.end(code)
        default: stream?.ended(self, code)
        }
    }

    func drainTimedOut() {
        guard case .draining = state.phase else { return }
        channel?.close(promise: nil)
    }

    func end() {
        guard state.phase != .closed else { return }
        tellEnd(nil)
        leave()
    }

    private func tellEnd(_ code: CloseCode?) {
        if channel != nil { shard.tell(.streamClosed, of: self, result: "\(code?.rawValue ?? 1006)") }
    }
}
