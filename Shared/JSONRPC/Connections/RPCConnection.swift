import Logging
import NIOConcurrencyHelpers
package import NIOCore
import NIOPosix
import Synchronization

/// One connection to a peer. Both ends may call and notify; all functions may be used from any thread.
package final class RPCConnection: Sendable {
    /// Names the connection in this process.
    package let id = RPCConnectionID()
    /// Who the peer is.
    package let peer: PeerCredentials

    let channel: any Channel
    let router: RPCRouter
    let limits: RPCLimits
    let logger: Logger
    let state: NIOLockedValueBox<ConnectionState>
    /// The channel's handler while it is in the pipeline.
    let handler: NIOLoopBoundBox<ConnectionHandler?>
    private let lastCallID = Atomic<Int64>(0)

    /// Must be called on the channel's event loop.
    init(channel: any Channel, peer: PeerCredentials, router: RPCRouter, limits: RPCLimits, logger: Logger) {
        self.channel = channel
        self.peer = peer
        self.router = router
        self.limits = limits
        var logger = logger
        logger[metadataKey: "connection"] = "\(id)"
        logger[metadataKey: "peerPID"] = "\(peer.pid)"
        self.logger = logger
        state = NIOLockedValueBox(ConnectionState(limits))
        handler = NIOLoopBoundBox(nil, eventLoop: channel.eventLoop)
    }

    /// Bytes that wait to be written to the peer.
    package var bufferedBytes: Int { state.withLockedValue { $0.outbound.bufferedBytes } }

    /// Becomes done when the connection is closed, whoever closed it.
    package var closed: EventLoopFuture<Void> { channel.closeFuture }

    /// Whether a call could still be sent.
    package var isOpen: Bool { state.withLockedValue { $0.phase == .open } }

    /// Closes at once; calls in flight fail with `connectionLost`, and frames that wait are dropped.
    package func close() {
        state.withLockedValue { if $0.phase == .open { $0.phase = .closing } }
        channel.close(promise: nil)
    }

    func nextCallID() -> Int64 {
        lastCallID.add(1, ordering: .relaxed).newValue
    }

    /// Sees to it that the event loop writes and reads on; cheap when it is on its way already.
    func wake() {
        channel.eventLoop.execute { self.handler.value?.wake() }
    }

    /// Sees to it that what waits is written: by this thread if it gathers what it says, else by the event loop.
    func wakeToWrite() {
        if GatheredWrites.current?.add(self) != true { wake() }
    }

    /// The same for a call. A thread that is no event loop writes it itself: somebody waits for the answer, and to wake the event loop takes
    /// longer. Event loops gather the calls of a turn.
    func wakeForCall() {
        if MultiThreadedEventLoopGroup.currentEventLoop == nil { writeDirectly() } else { wakeToWrite() }
    }
}

extension ConnectionState {
    /// Whether the caller has to wake the event loop, which it then does outside the lock.
    ///
    /// - Parameter toWrite: Nothing is to be done but to write.
    mutating func needsWake(toWrite: Bool = false) -> Bool {
        if !toWrite { needsLoop = true }
        guard !isWakeScheduled else { return false }
        isWakeScheduled = true
        return true
    }
}
