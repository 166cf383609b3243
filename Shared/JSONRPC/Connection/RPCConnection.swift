import Glibc
import Logging
import NIOConcurrencyHelpers
package import NIOCore
import NIOPosix
import Synchronization

/// A connection to a peer. Both ends may send calls and notifications; all functions may be called from any thread.
package final class RPCConnection: Sendable {
    /// Identifies the connection within this process.
    package let id = RPCConnectionID()
    /// The peer's process and user.
    package let peer: PeerCredentials

    let channel: any Channel
    let router: RPCRouter
    let limits: RPCLimits
    let logger: Logger
    let state: NIOLockedValueBox<RPCConnectionState>
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
        state = NIOLockedValueBox(RPCConnectionState(limits))
        handler = NIOLoopBoundBox(nil, eventLoop: channel.eventLoop)
    }

    /// Bytes waiting to be written to the peer.
    package var bufferedBytes: Int { state.withLockedValue { $0.outbound.bufferedBytes } }

    /// Completes when the connection has closed, whichever end closed it.
    package var closed: EventLoopFuture<Void> { channel.closeFuture }

    /// Whether calls can still be sent.
    package var isOpen: Bool { state.withLockedValue { $0.phase == .open } }

    /// Closes immediately; calls in flight fail with `connectionLost`, and waiting frames are dropped.
    package func close() {
        state.withLockedValue { if $0.phase == .open { $0.phase = .closing } }
        channel.close(promise: nil)
    }

    func nextCallID() -> Int64 {
        lastCallID.add(1, ordering: .relaxed).newValue
    }

    /// Wakes the event loop to write queued frames and resume reading.
    func wake() {
        channel.eventLoop.execute { self.handler.value?.wake() }
    }

    /// Arranges for queued frames to be written: by this thread if it gathers its messages, otherwise by the event loop.
    func wakeToWrite() {
        if GatheredWrites.current?.add(self) != true { wake() }
    }

    /// Like ``wakeToWrite()``, for a call. A thread that is not an event loop writes the call itself, because a caller is waiting for the response
    /// and waking the event loop takes longer. On an event loop, the calls of one tick are written together.
    func wakeForCall() {
        if MultiThreadedEventLoopGroup.currentEventLoop == nil { writeDirectly() } else { wakeToWrite() }
    }
}

extension RPCConnectionState {
    /// Returns whether the event loop must be woken; if so, the caller wakes it after releasing the lock.
    ///
    /// - Parameter toWrite: Whether only writing is pending.
    mutating func needsWake(toWrite: Bool = false) -> Bool {
        if !toWrite { needsLoop = true }
        guard !isWakeScheduled else { return false }
        isWakeScheduled = true
        return true
    }
}

extension RPCConnection {
    /// Sends a typed notification.
    ///
    /// - Returns: Whether it was queued; see ``notifyRaw(_:_:)``.
    @discardableResult
    package func notify<Notification: RPCNotification>(
        _ notification: Notification.Type, _ parameters: Notification.Parameters
    ) -> Bool {
        do {
            return notifyRaw(Notification.name, try BodyCoding.encode(parameters))
        } catch {
            logger.critical("a notification cannot be encoded", metadata: ["method": "\(Notification.name)"])
            return false
        }
    }

    /// Sends a notification whose parameters are already a JSON object.
    ///
    /// Notifications and calls from one thread reach the peer in the order in which they were made.
    ///
    /// - Returns: Whether it was queued. It is not queued if the connection is not open, if its frame is longer than ``RPCLimits/maximumFrameBytes``,
    ///   or if ``RPCLimits/maximumOutboundBytes`` would be exceeded; in the last case the connection is closed, since the peer does not read.
    @discardableResult
    package func notifyRaw(_ name: String, _ parameters: ByteBuffer) -> Bool {
        send(name) { FrameWriter.writeNotification(method: name, parameters: parameters, to: &$0) }
    }

    /// Queues a frame. If there is no room for it, closes the connection, because dropping the frame would break the order. A frame that is too large
    /// is logged and dropped.
    ///
    /// - Returns: Whether the frame was queued.
    @discardableResult
    func send(_ subject: String, _ write: (inout ByteBuffer) -> Void) -> Bool {
        switch enqueue(write) {
        case .queued:
            return true
        case .refused(.full):
            logger.error("the peer is not reading; closing", metadata: ["method": "\(subject)"])
            close()
        case .refused(.frameTooLarge):
            logger.error("a frame was too large and was not sent", metadata: ["method": "\(subject)"])
        case .closed:
            break
        }
        return false
    }

    /// Queues a frame if there is room.
    @discardableResult
    func enqueue(_ write: (inout ByteBuffer) -> Void) -> Enqueued {
        let (outcome, needsWake) = state.withLockedValue { state -> (Enqueued, Bool) in
            guard state.phase == .open else { return (.closed, false) }
            do throws(OutboundQueue.Refusal) {
                try state.outbound.append(write)
                return (.queued, state.needsWake(toWrite: true))
            } catch {
                return (.refused(error), false)
            }
        }
        if needsWake { wakeToWrite() }
        return outcome
    }

    /// The result of queueing a frame.
    enum Enqueued {
        case queued, refused(OutboundQueue.Refusal), closed
    }
}

/// Identifies a connection; never reused within a process.
package struct RPCConnectionID: Hashable, Sendable, CustomStringConvertible {
    private static let last = Atomic<UInt64>(0)

    private let number: UInt64

    /// Creates the next unused identifier.
    package init() {
        number = Self.last.add(1, ordering: .relaxed).newValue
    }

    package var description: String { "rpc-\(number)" }
}

/// The process at the other end, as recorded by the kernel when that process called connect(2) or, if it is the server, listen(2) (unix(7),
/// `SO_PEERCRED`).
package struct PeerCredentials: Equatable, Sendable {
    /// Process ID; the process may have ended since.
    package var pid: Int32
    /// Effective user ID.
    package var uid: UInt32
    /// Effective group ID.
    package var gid: UInt32

    package init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }
}

extension PeerCredentials {
    /// `struct ucred` (unix(7)): 32-bit pid, uid and gid. Glibc hides it from Swift.
    private typealias Ucred = InlineArray<3, UInt32>

    /// Reads the credentials from the kernel. Fails if the channel is not a socket.
    static func of(_ channel: any Channel) -> EventLoopFuture<PeerCredentials> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let answer: EventLoopFuture<Ucred> = options.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return answer.map { PeerCredentials(pid: Int32(bitPattern: $0[0]), uid: $0[1], gid: $0[2]) }
    }
}

/// The limits of a connection, and what happens when each is reached (Services/README.md rule 7).
package struct RPCLimits: Sendable {
    /// Maximum frame length in bytes (Services/README.md "JSON-RPC"). A longer incoming frame is answered with -32700 and the connection is closed. A
    /// longer outgoing call fails with `frameTooLarge`, a longer notification is dropped, and a longer error response is replaced by a short one. If
    /// a result leaves less than 512 bytes of the frame for the envelope, the caller receives -32603 instead.
    package var maximumFrameBytes = 1 << 20
    /// Maximum bytes waiting for a peer that does not read. Further calls fail with `overloaded`, and so do the peer's calls to idempotent methods if
    /// their responses do not fit. A cancellation that does not fit is dropped. Any other response or notification that does not fit closes the
    /// connection, because dropping it would break the order. From half of this limit on, the peer's requests except pings are refused with
    /// `overloaded` without running their handlers.
    package var maximumOutboundBytes = 16 << 20
    /// Paced requests (``RPCRouter/handlePaced(_:answerBytes:_:)``) wait while at least this many bytes are waiting for the peer or expected from
    /// paced responses in preparation.
    package var maximumPacedBytes = 128 << 10
    /// Maximum number of paced requests waiting to start; further paced requests are refused with `overloaded`.
    package var maximumPacedRequests = 1_024
    /// Maximum number of the peer's requests that have not ended; at this limit, nothing more is read until one of them ends, not even a ping. Of a
    /// peer with the same limits, pings are always read: it has fewer calls in flight (``maximumInFlightOutbound``), even if the handlers of as many
    /// others are still ending after a cancellation.
    package var maximumInFlightInbound = 8_192
    /// Maximum number of calls waiting for responses; further calls, except pings, fail with `overloaded`.
    package var maximumInFlightOutbound = 4_096
    /// Maximum number of connections to a server; further connections are closed immediately.
    package var maximumConnections = 256
    /// Maximum deadline of the peer's requests, even if the peer allows more.
    package var maximumDeadline: Duration = .seconds(600)
    /// Deadline of the peer's requests for which neither the peer nor the method sets one.
    package var defaultDeadline: Duration = .seconds(30)
    /// How long a closing connection may take to write its queued frames.
    package var closingGrace: Duration = .seconds(1)

    package init() {}
}
