import BookstrackContract
import NIOCore
import Observability
import SuiteMethods

/// Watches one job for a client: over a WebSocket or an event stream, or for a request that waits for the job's next event or its end. A WebSocket or
/// stream receives progress-host's frames no faster than its client reads them.
///
/// It is created before progress-host is asked, so that no early frame is lost. It is confined to the channel's event loop. To save memory, it
/// allocates nothing that a quiet connection does not need.
protocol Watcher: AnyObject {
    /// The encoding of its frames.
    var codec: FrameCodec { get }

    var id: SocketID { get }
    /// The client's request, without the token.
    var request: SocketRequest { get }
    var shard: SocketShard { get }
    var state: WatcherState { get }
    /// The channel; nil while no frames can be written to it.
    var channel: (any Channel)? { get }

    /// Number of waiting bytes of other jobs on the same connection; they count against ``MultiplexedJob/sharedByteLimit``.
    var waitingElsewhere: Int { get }

    /// Writes a frame, to be flushed by ``flush()``.
    func write(_ bytes: ByteBuffer, _ kind: SocketDelivery.Kind, seq: Int)
    func flush()
    /// Called when everything that was delivered is written: sends the client the reason for the end.
    func sendEnd(_ code: CloseCode, reason: String)
    /// Called if the client did not read the remaining frames in time.
    func drainTimedOut()
    /// Ends the watcher without sending anything that is still waiting.
    func end()
}

/// The position of a watcher, and the frames waiting for its client.
///
/// A class, because code that works for any watcher would otherwise copy all of it to read one member.
final class WatcherState {
    /// Phase of a watcher's life.
    enum Phase: Equatable {
        /// progress-host has not admitted the watcher yet.
        case opening
        case open
        /// No more frames are accepted; the end follows once the waiting frames are sent.
        case draining(CloseCode, reason: String)
        /// For a socket: waiting for the client's close frame or the end of the connection.
        case closeSent
        case closed
    }

    var phase = Phase.opening
    fileprivate let permit: SocketLimiter.Permit
    /// The number that progress-host assigned to the client's token; nil before the admission, or if the client sent none.
    var tokenNumber: Int64?
    /// Whether the client uses version 1 of the protocol, as last reported by progress-host.
    var speaksV1: Bool
    var ledger = DeliveryLedger()
    /// Client messages waiting for progress-host.
    var kept: [ByteBuffer] = []
    /// Whether there are written bytes that are not flushed.
    var isDirty = false
    /// Whether progress-host is waiting for the receipt of a page.
    fileprivate var owesReceipt = false
    fileprivate var queue = SlowReaderQueue()
    /// Number of frames that were replaced by newer ones while they waited.
    private(set) var skipped: UInt32 = 0
    /// Length in bytes of the terminal frame for which the client is given extra time to read; 0 if there is none.
    fileprivate var endBytes: UInt32 = 0

    init(permit: SocketLimiter.Permit, speaksV1: Bool = false) {
        self.permit = permit
        self.speaksV1 = speaksV1
    }

    /// Number of bytes waiting for the client.
    var waitingBytes: Int { queue.waitingBytes }
    var isDraining: Bool { if case .draining = phase { true } else { false } }

    fileprivate func countSkipped() { skipped &+= 1 }
}

extension Watcher {
    var waitingElsewhere: Int { 0 }
}

// MARK: From progress-host

extension Watcher {
    /// Called when progress-host has admitted the watcher, which is now live.
    func admitted(tokenNumber: Int64?) {
        state.tokenNumber = tokenNumber
        switch state.phase {
        case .opening:
            state.phase = .open
            shard.passKept(of: self)
        case .closed: shard.forget(id)
        default: break
        }
    }

    /// Called when progress-host has refused the watcher or has not answered in time. If the connection has also ended, notifies progress-host, which
    /// may have registered the watcher late.
    func notAdmitted() {
        if state.phase == .closed { shard.forget(id) }
    }

    /// Sends a frame to the client, now or once it reads again, unless the client already has it. `bytes` is the encoded frame.
    func deliver(_ delivery: SocketDelivery, bytes: ByteBuffer) {
        guard state.phase == .opening || state.phase == .open else { return }
        if delivery.kind == .page { state.owesReceipt = true }
        if delivery.kind == .terminal { state.endBytes = UInt32(bytes.readableBytes) }
        if state.ledger.admit(delivery.kind, seq: delivery.seq) {
            sendOrKeep(.init(kind: delivery.kind, seq: delivery.seq, bytes: bytes))
        }
        giveReceipt()
    }

    private func sendOrKeep(_ entry: SlowReaderQueue.Entry) {
        if state.queue.isEmpty, takesMore { send(entry) } else { keep(entry) }
    }

    private func send(_ entry: SlowReaderQueue.Entry) {
        write(entry.bytes, entry.kind, seq: entry.seq)
        shard.metrics.frame(entry.kind, .sent)
    }

    private func keep(_ entry: SlowReaderQueue.Entry) {
        let isOpening = channel == nil
        let waiting = waitingElsewhere + state.waitingBytes + entry.bytes.readableBytes
        let limit = isOpening ? SlowReaderQueue.openingByteLimit : MultiplexedJob.sharedByteLimit
        guard waiting <= limit || !entry.isLimited else { return overflow(entry) }
        switch state.queue.append(entry, isOpening: isOpening) {
        case .kept: shard.metrics.waiting.add()
        case .coalesced:
            state.countSkipped()
            shard.metrics.frame(entry.kind, .coalesced)
        case .overflow: overflow(entry)
        }
    }

    private func overflow(_ entry: SlowReaderQueue.Entry) {
        shard.metrics.frame(entry.kind, .dropped)
        countDropped(state.queue.discard())
        close(.tryAgainLater, reason: "reads too slowly")
    }

    private func countDropped(_ kinds: [SocketDelivery.Kind]) {
        shard.metrics.waiting.subtract(kinds.count)
        for kind in kinds { shard.metrics.frame(kind, .dropped) }
    }

    /// Notifies progress-host that a page is written, if it is waiting for that and everything is written.
    func giveReceipt() {
        guard state.owesReceipt, state.phase == .open, state.queue.isEmpty, takesMore else { return }
        state.owesReceipt = !shard.caughtUp(self)
    }

    /// Whether the client can receive more. A burst within one turn of the loop does not make a client slow; only bytes that remain after a flush do.
    var takesMore: Bool {
        guard let channel else { return false }
        if !channel.isWritable, state.isDirty { flush() }
        return channel.isWritable
    }

    /// Writes queued frames as long as the client can receive them.
    func drain() {
        while takesMore, let entry = state.queue.popFirst() {
            shard.metrics.waiting.subtract()
            send(entry)
        }
        if channel != nil, state.queue.isEmpty, case .draining(let code, let reason) = state.phase {
            sendEnd(code, reason: reason)
        }
        giveReceipt()
    }
}

// MARK: The end

extension Watcher {
    /// Ends once everything delivered so far is written, or after ``PeerTimeouts/drain(endOf:)``.
    func close(_ code: CloseCode, reason: String) {
        guard state.phase == .opening || state.phase == .open else { return }
        state.phase = .draining(code, reason: reason)
        guard channel != nil else { return }
        watchDraining()
        drain()
    }

    /// Called when this process is stopping (operations.md): a client that is slow to read its terminal frame is given no extra time.
    func closeForRestart() {
        state.endBytes = 0
        switch state.phase {
        case .opening, .open: close(.serviceRestart, reason: "server restarts")
        case .draining, .closeSent: if channel != nil { watchDraining() }
        case .closed: break
        }
    }

    /// Limits the time for sending the remaining frames.
    func watchDraining() {
        let timeout = shard.timeouts.drain(endOf: Int(state.endBytes))
        shard.eventLoop.assumeIsolated().scheduleTask(in: timeout) { [weak self] in self?.drainTimedOut() }
    }

    /// Drops the frames that are still waiting.
    func dropWaiting() { countDropped(state.queue.removeAll()) }

    /// Frees the watcher's resources. Its permit is released before progress-host is notified, so that it is free once progress-host reports the
    /// watcher as gone.
    func leave() {
        state.phase = .closed
        dropWaiting()
        shard.socketLimiter.leave(state.permit)
        shard.remove(self)
    }
}

/// The encodings in which frames are written.
enum FrameCodec {
    case webSocket
    case eventStream
    /// Only the JSON text, for a watcher that converts it.
    case frame
}

/// A delivery with its bytes on the wire, which are encoded once for all watchers on an event loop that use the same encoding.
struct EncodedDelivery {
    let delivery: SocketDelivery
    private var webSocket: ByteBuffer?
    private var eventStream: ByteBuffer?
    private var frame: ByteBuffer?

    init(_ delivery: SocketDelivery) { self.delivery = delivery }

    /// The delivery in an encoding; nil for a frame that the encoding cannot express.
    mutating func bytes(_ codec: FrameCodec) -> ByteBuffer? {
        switch codec {
        case .webSocket:
            webSocket = webSocket ?? delivery.webSocketBytes
            return webSocket
        case .eventStream:
            eventStream = eventStream ?? delivery.eventStreamBytes
            return eventStream
        case .frame:
            guard delivery.kind != .text else { return nil }
            // Copied because the received bytes are a slice of a larger read.
            frame = frame ?? ByteBuffer(bytes: delivery.frame.readableBytesView)
            return frame
        }
    }
}
