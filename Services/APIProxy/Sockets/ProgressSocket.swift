import BookstrackContract
import NIOCore
import Observability
import SuiteMethods

/// A WebSocket that watches one job. Passes its client's messages to progress-host, and progress-host's frames to its client.
final class ProgressSocket: Watcher, WebSocketOwner {
    var codec: FrameCodec { .webSocket }

    let id: SocketID
    let request: SocketRequest
    let shard: SocketShard
    let state: WatcherState
    let connection: UpgradedConnection
    private var nextSignOfLife = NIODeadline.uptimeNanoseconds(0)

    var channel: (any Channel)? { connection.channel }

    init(id: SocketID, request: SocketRequest, permit: SocketLimiter.Permit, shard: SocketShard) {
        self.id = id
        self.request = request.withoutToken
        state = WatcherState(permit: permit, speaksV1: request.v1)
        self.shard = shard
        connection = UpgradedConnection(shard.metrics, shard.timeouts)
        connection.owner = self
    }

    func opened() {
        shard.tell(.socketOpened, of: self)
        if state.isDraining { watchDraining() }
        drain()
    }

    func ended() { end() }

    func end() {
        guard state.phase != .closed else { return }
        if channel != nil { shard.tell(.socketClosed, of: self, result: "\(connection.closeCode ?? 1006)") }
        leave()
    }
}

// MARK: To the client

extension ProgressSocket {
    func write(_ bytes: ByteBuffer, _ kind: SocketDelivery.Kind, seq: Int) {
        if kind == .ping { connection.write(ping: bytes) } else { connection.write(bytes) }
    }

    func flushSoon() { shard.flushSoon(self) }

    func flush() {
        state.isDirty = false
        connection.flush()
    }

    func clientReads() { drain() }

    func drainTimedOut() {
        if case .draining(let code, let reason) = state.phase { sendEnd(code, reason: reason) }
        connection.scheduleClose()
    }

    func sendEnd(_ code: CloseCode, reason: String) {
        guard channel != nil else { return }
        state.phase = .closeSent
        dropWaiting()
        connection.sendClose(code, reason: reason)
    }
}

// MARK: From the client

extension ProgressSocket {
    var takesMessages: Bool { state.phase == .open }

    func received(_ text: String) {
        if !shard.forward(text, from: self) { close(.tryAgainLater, reason: "the service is busy") }
    }

    func heard() {
        let now = shard.eventLoop.now
        guard now >= nextSignOfLife else { return }
        nextSignOfLife = now + SocketShard.signOfLifeInterval
        shard.signOfLife(of: self)
    }
}
