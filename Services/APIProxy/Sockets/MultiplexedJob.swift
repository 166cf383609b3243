import BookstrackContract
import NIOCore
import Observability
import SuiteMethods

/// A connection on which a client watches several jobs (streams.md "Many jobs on one stream").
///
/// Confined to the channel's event loop.
protocol JobMultiplexer: AnyObject {
    /// The encoding of its jobs' frames.
    var codec: FrameCodec { get }
    /// The channel; nil while no frames can be written to it.
    var channel: (any Channel)? { get }
    /// The jobs that are watched on it, and those about which progress-host is being asked.
    var members: [MultiplexedJob] { get }

    /// Writes a frame of a job, to be flushed by ``flush()``.
    func write(_ frame: ByteBuffer)
    func flush()
    /// Called when a job's last frame is written and no more follow, for example because the job has ended or its token was revoked.
    func ended(_ member: MultiplexedJob, _ code: CloseCode)
    /// Ends the connection, because one of its jobs can no longer be watched on it, although the job has not ended. The client should continue on a
    /// later connection, after the last frame that it received.
    func end(_ code: CloseCode, reason: String)
    /// Breaks off the connection, because the client did not read a job's last frames in time.
    func breakOff()
}

extension JobMultiplexer {
    /// Number of bytes waiting for the client.
    var waitingBytes: Int { members.reduce(0) { $0 + $1.state.waitingBytes } }

    /// The jobs whose frames can already be written; the others are still being opened.
    var begun: [MultiplexedJob] { members.filter { $0.channel != nil } }

    /// Whether the last frames of an ended job are waiting for the client.
    var isDraining: Bool { begun.contains { $0.state.isDraining } }

    /// Ends the jobs because this process is stopping. Since the end of an open job ends the connection, jobs whose last frames are waiting end
    /// first; call this again once ``isDraining`` is false.
    func closeMembersForRestart() {
        let draining = begun.filter(\.state.isDraining)
        for member in draining.isEmpty ? begun : draining { member.closeForRestart() }
    }
}

/// Notifies the client whether it watches a job on the connection.
struct WatchNotice: Encodable {
    enum Kind: String, Encodable {
        /// The job's frames follow.
        case watched
        case refused = "watch_refused"
        /// No more frames of the job follow.
        case unwatched
    }

    let type: Kind
    /// The job; nil if the notice is about a list of jobs that cannot be read.
    let jobId: JobID?
    /// Why the job or the list is refused; for `unwatched`, `UNAUTHORIZED` if the token was revoked; otherwise nil.
    let code: APIErrorCode?
    /// What is wrong with a list that cannot be read; nil for any other notice.
    let message: String?

    init(_ type: Kind, _ jobId: JobID, code: APIErrorCode? = nil) {
        self.type = type
        self.jobId = jobId
        self.code = code
        message = nil
    }

    /// Creates the refusal of a list of jobs that cannot be read.
    init(unreadable failure: APIFailure) {
        type = .refused
        jobId = nil
        code = failure.code
        message = failure.message
    }

    /// The notice that no more frames of a job follow.
    init(endOf jobId: JobID, _ code: CloseCode) {
        self.init(.unwatched, jobId, code: code == .policyViolation ? .unauthorized : nil)
    }
}

/// One of several jobs on a connection, each of which is watched separately.
final class MultiplexedJob: Watcher {
    /// Maximum number of bytes waiting for the client of one connection, across all its jobs. For a frame of a job that is being opened, this maximum
    /// is ``SlowReaderQueue/openingByteLimit``. Each job also has the limits of a single stream.
    static let sharedByteLimit = 1 << 20

    let codec: FrameCodec
    let id: SocketID
    let request: SocketRequest
    let shard: SocketShard
    let state: WatcherState
    /// Nil once the connection is gone, which may be before progress-host has answered.
    private weak var multiplexer: (any JobMultiplexer)?
    /// Whether the job's frames can be written: on a WebSocket after `watched`, on an event stream once the response has begun. Before that, they
    /// wait.
    private var hasBegun = false
    /// Records the frames that were written. The watcher's own ledger also includes frames that are waiting.
    private var written = DeliveryLedger()

    init(
        id: SocketID, request: SocketRequest, permit: SocketLimiter.Permit, shard: SocketShard,
        multiplexer: any JobMultiplexer
    ) {
        self.id = id
        self.request = request.withoutToken
        self.shard = shard
        self.multiplexer = multiplexer
        codec = multiplexer.codec
        state = WatcherState(permit: permit)
    }

    var channel: (any Channel)? { hasBegun ? multiplexer?.channel : nil }
    var waitingElsewhere: Int { multiplexer.map { $0.waitingBytes - state.waitingBytes } ?? 0 }

    /// `seq` after which a later stream should continue; nil if the client has not received an event, on this stream or before.
    var seq: Int? { written.isPlaced ? written.lastSeq : request.since }

    /// Sends the frames that have been waiting.
    func begin() {
        hasBegun = true
        shard.tell(.streamOpened, of: self)
        if state.isDraining { watchDraining() }
        drain()
    }

    func write(_ bytes: ByteBuffer, _ kind: SocketDelivery.Kind, seq: Int) {
        _ = written.admit(kind, seq: seq)
        multiplexer?.write(bytes)
        shard.flushSoon(self)
    }

    func flush() {
        state.isDirty = false
        multiplexer?.flush()
    }

    func sendEnd(_ code: CloseCode, reason: String) {
        reportEnd(code)
        leave()
        switch code {
        case .serviceRestart, .tryAgainLater: multiplexer?.end(code, reason: reason)
        default: multiplexer?.ended(self, code)
        }
    }

    func drainTimedOut() {
        guard state.isDraining else { return }
        multiplexer?.breakOff()
    }

    func end() {
        guard state.phase != .closed else { return }
        reportEnd(nil)
        leave()
    }

    private func reportEnd(_ code: CloseCode?) {
        if channel != nil { shard.tell(.streamClosed, of: self, result: "\(code?.rawValue ?? 1006)") }
    }
}
