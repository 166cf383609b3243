import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// One stream of server-sent events on the HTTP connection of its request. Passes progress-host's frames to its client.
final class EventStream: Watcher, HeartbeatStream {
    var codec: FrameCodec { appEvents == nil ? .eventStream : .frame }

    let id: SocketID
    let request: SocketRequest
    let shard: SocketShard
    let state: WatcherState
    private let body: EventStreamBody
    /// Creates the events for shipped apps; nil for a stream that sends the frames themselves.
    private var appEvents: AppEvents?
    /// When a shipped app's stream sent its last event.
    private var lastEventAt = NIODeadline.uptimeNanoseconds(0)
    /// Whether an operator's session is still valid; nil for clients.
    private let isPermitted: (() -> Bool)?

    var channel: (any Channel)? { body.channel }

    init(
        id: SocketID, request: SocketRequest, permit: SocketLimiter.Permit, shard: SocketShard, exchange: LoopExchange,
        shape: EventStreamShape = .frames, isPermitted: (() -> Bool)? = nil
    ) {
        self.id = id
        self.request = request.withoutToken
        self.shard = shard
        body = EventStreamBody(exchange, shard)
        appEvents = shape == .shippedApps ? AppEvents(request.jobId) : nil
        self.isPermitted = isPermitted
        state = WatcherState(permit: permit)
    }

    /// Begins the response. `fields` are sent in addition to the header fields of every stream.
    func begin(_ fields: HTTPFields) {
        guard state.phase != .closed else { return }
        guard body.begin(fields) else { return leave() }
        lastEventAt = body.now
        if appEvents != nil { write(AppEvents.beginning) }
        shard.tell(.streamOpened, of: self)
        shard.keepAlive(self)
        if state.isDraining { watchDraining() }
        drain()
    }

    func sendHeartbeat() -> Bool { state.phase == .open && !endsIdle() && !endsWithSession() && body.sendHeartbeat() }

    /// Ends the stream of an operator whose session has ended.
    private func endsWithSession() -> Bool {
        guard isPermitted?() == false else { return false }
        close(.policyViolation, reason: "the session is over")
        return true
    }

    /// Ends a shipped app's stream that has been idle for too long. The job continues.
    private func endsIdle() -> Bool {
        guard let appEvents, body.now - lastEventAt >= shard.timeouts.streamIdle else { return false }
        write(appEvents.timeout)
        close(.normal, reason: "idle")
        return true
    }
}

// MARK: To the client

extension EventStream {
    func write(_ bytes: ByteBuffer, _ kind: SocketDelivery.Kind, seq: Int) {
        guard appEvents != nil else { return write(bytes) }
        guard let event = appEvents?.event(of: bytes) else { return }
        lastEventAt = body.now
        write(event)
    }

    private func write(_ bytes: ByteBuffer) {
        body.write(bytes)
        shard.flushSoon(self)
    }

    func flush() {
        state.isDirty = false
        body.flush()
    }

    func sendEnd(_ code: CloseCode, reason: String) {
        ended(code)
        // First, so that the client can open another stream once it sees the end.
        leave()
        body.end(code)
    }

    /// Ends the connection, so that the client does not mistake the stream for complete.
    func drainTimedOut() {
        guard state.isDraining else { return }
        channel?.close(promise: nil)
    }

    /// Ends the stream without a close code: the connection has ended, or no response was sent.
    func end() {
        guard state.phase != .closed else { return }
        ended(nil)
        body.abandon()
        leave()
    }

    private func ended(_ code: CloseCode?) {
        if channel != nil { shard.tell(.streamClosed, of: self, result: "\(code?.rawValue ?? 1006)") }
    }
}
