import BookstrackContract
import HTTPTypes
import NIOCore
import SuiteMethods

/// One event stream that carries several jobs. The ID of a job's event contains the client's position in each job (``JobSelection/position(_:)``),
/// except for jobs in which it has none yet.
final class CombinedEventStream: JobMultiplexer, HeartbeatStream {
    var codec: FrameCodec { .frame }
    private let body: EventStreamBody
    private let shard: SocketShard
    private(set) var members: [MultiplexedJob] = []
    /// Jobs of which no more events follow, each with its last ``MultiplexedJob/seq``.
    private var finished: [(jobId: JobID, seq: Int?)] = []
    /// Whether the server is stopping: the stream ends once the last frames of ended jobs are written.
    private var isStopping = false

    var channel: (any Channel)? { body.channel }

    init(_ exchange: LoopExchange, _ shard: SocketShard) {
        self.shard = shard
        body = EventStreamBody(exchange, shard)
    }

    func add(_ member: MultiplexedJob) { members.append(member) }

    /// Removes a job of which no more events follow, and keeps its position.
    func leave(_ member: MultiplexedJob) {
        remove(member)
        finished.append((member.request.jobId, member.seq))
    }

    /// Removes a job that the client may not watch.
    func remove(_ member: MultiplexedJob) { members.removeAll { $0 === member } }

    /// Starts the response; false if the stream has ended, for example because only the head was requested. `notices` are the first events.
    func begin(_ fields: HTTPFields, notices: [WatchNotice]) -> Bool {
        guard body.begin(fields) else { return false }
        for notice in notices { write(notice) }
        body.flush()
        shard.keepAlive(self)
        for member in members { member.begin() }
        return true
    }

    func sendHeartbeat() -> Bool { members.contains { $0.state.phase == .open } && body.sendHeartbeat() }

    func write(_ frame: ByteBuffer) {
        let position = JobSelection.position(finished + members.map { ($0.request.jobId, $0.seq) })
        body.write(EventStreamText.event(id: position, frame: frame))
    }

    /// Writes a notice. It has no ID, because it is not a job event, and the client keeps the ID of the previous event (HTML standard §9.2.6).
    private func write(_ notice: WatchNotice) {
        body.write(EventStreamText.event(id: nil, type: notice.type.rawValue[...], data: JSONBody.encode(notice)))
    }

    func flush() { body.flush() }

    func ended(_ member: MultiplexedJob, _ code: CloseCode) {
        leave(member)
        write(WatchNotice(endOf: member.request.jobId, code))
        guard !members.isEmpty else { return body.end(.normal) }
        body.flush()
        if isStopping, !isDraining { closeForRestart() }
    }

    func closeForRestart() {
        isStopping = true
        closeMembersForRestart()
    }

    func end(_ code: CloseCode, reason: String) {
        // First, so that the client can open as many streams again once it sees the end.
        abandonMembers()
        body.end(code)
    }

    func breakOff() { channel?.close(promise: nil) }

    /// Called when the connection has ended, or if no response was started.
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
