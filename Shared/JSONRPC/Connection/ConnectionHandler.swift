import Logging
import NIOConcurrencyHelpers
import NIOCore

/// The part of a connection that runs on the event loop: splits input into frames, writes queued frames, and runs the timer.
///
/// Frames queued while a read is being handled wait until its end, so they can be sent together.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Callbacks that run on the event loop, in order with the connection's messages.
    struct Observer: Sendable {
        var connected: @Sendable (RPCConnection) -> Void
        var disconnected: @Sendable (RPCConnection) -> Void
    }

    private let connection: RPCConnection
    private let observer: Observer
    private var frames: FrameScanner
    private var context: ChannelHandlerContext?
    /// Whether bytes are waiting in `frames` because the peer has reached its request limit.
    private var isStoppedAtBound = false
    /// Whether a requested read is held back until every earlier frame has been taken, so the bytes of at most one read are waiting.
    private var isReadHeldBack = false
    private var isStreamBroken = false
    private var timer: Scheduled<Void>?
    private var timerDeadline: NIODeadline?
    private var graceTimer: Scheduled<Void>?
    private var lastRead: NIODeadline

    init(_ connection: RPCConnection, observer: Observer) {
        self.connection = connection
        self.observer = observer
        frames = FrameScanner(maximumFrameBytes: connection.limits.maximumFrameBytes)
        lastRead = connection.channel.eventLoop.now
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connection.handler.value = self
        let socket = WritingSocket(of: context.channel)
        connection.state.withLockedValue { $0.socket = socket }
        if context.channel.isActive { observer.connected(connection) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        connection.handler.value = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        observer.connected(connection)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        graceTimer?.cancel()
        let (calls, requests) = connection.state.withLockedValue { state in
            state.phase = .closed
            state.socket = nil
            state.outbound.clear()
            state.paced.removeAll()
            return (state.calls.removeAll(), state.requests.removeAll())
        }
        for request in requests {
            request.task?.cancel()
            connection.observe(request, .abandoned)
        }
        for complete in calls { complete(.failure(.connectionLost)) }
        observer.disconnected(connection)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection.logger.debug("connection failed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }
}

// MARK: Reading

extension ConnectionHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastRead = context.eventLoop.now
        guard !isStreamBroken else { return }
        frames.append(unwrapInboundIn(data))
        // Until the read completes, no thread needs to wake this loop.
        connection.state.withLockedValue { $0.isWakeScheduled = true }
        takeFrames()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        wake()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if isStoppedAtBound { isReadHeldBack = true } else { context.read() }
    }

    /// When the peer's last bytes arrived, or the current time while this end is not reading.
    var lastSign: NIODeadline { isReadHeldBack ? connection.channel.eventLoop.now : lastRead }

    private var isAtBound: Bool { connection.state.withLockedValue { $0.requests.isFull } }

    private func takeFrames() {
        guard frames.bufferedBytes > 0 else { return isStoppedAtBound = false }
        connection.router.gather { takeGatheredFrames() }
    }

    private func takeGatheredFrames() {
        isStoppedAtBound = false
        while !isStreamBroken {
            guard !isAtBound else {
                isStoppedAtBound = frames.bufferedBytes > 0
                return
            }
            do throws(FrameScanner.Oversized) {
                guard let frame = try frames.next() else { return }
                isStreamBroken = !connection.receive(frame)
            } catch {
                connection.refuseOversizedFrame()
                isStreamBroken = true
            }
        }
    }
}

// MARK: Writing

extension ConnectionHandler {
    /// Handles received frames, starts paced requests, writes queued frames, sets the timer for deadlines, and resumes a held-back read. If the
    /// connection is closing, closes it once everything has been written, or after the grace period.
    func wake() {
        guard let context else { return }
        takeFrames()
        connection.startPacedRequests()
        let (chunk, phase, alarm) = connection.state.withLockedValue { state in
            state.isWakeScheduled = false
            state.needsLoop = false
            return (state.outbound.take(), state.phase, state.alarm)
        }
        if let chunk { write(chunk, context) }
        if let alarm { setTimer(at: alarm, context) }
        readOn(context)
        if phase == .closing { closeWhenWritten(context) }
    }

    private func readOn(_ context: ChannelHandlerContext) {
        if isStoppedAtBound {
            // A handler that ended after the frames were taken did not wake this loop, because the loop was already awake.
            if !isAtBound, connection.state.withLockedValue({ $0.needsWake() }) { connection.wake() }
        } else if isReadHeldBack {
            isReadHeldBack = false
            context.read()
        }
    }

    private func write(_ chunk: ByteBuffer, _ context: ChannelHandlerContext) {
        let written = context.eventLoop.makePromise(of: Void.self)
        let connection = connection
        written.futureResult.whenSuccess {
            let needsWake = connection.state.withLockedValue { state in
                state.outbound.wrote()
                let isNeeded =
                    state.outbound.bufferedBytes > 0 || !state.paced.isEmpty || state.phase == .closing
                return isNeeded && state.needsWake()
            }
            if needsWake { connection.wake() }
        }
        context.writeAndFlush(wrapOutboundOut(chunk), promise: written)
    }

    /// Closes when everything has been written, or after the grace period.
    private func closeWhenWritten(_ context: ChannelHandlerContext) {
        guard connection.state.withLockedValue({ $0.outbound.bufferedBytes > 0 }) else {
            context.close(promise: nil)
            return
        }
        guard graceTimer == nil else { return }
        graceTimer = context.eventLoop.assumeIsolated().scheduleTask(in: connection.limits.closingGrace.timeAmount) {
            [weak self] in self?.context?.close(promise: nil)
        }
    }
}

// MARK: Deadlines

extension ConnectionHandler {
    private func setTimer(at alarm: NIODeadline, _ context: ChannelHandlerContext) {
        guard timerDeadline.map({ alarm < $0 }) ?? true else { return }
        timer?.cancel()
        timerDeadline = alarm
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: alarm) { [weak self] in self?.timerFired() }
    }

    private func timerFired() {
        timerDeadline = nil
        let now = connection.channel.eventLoop.now
        connection.expireCalls(at: now)
        connection.expireRequests(at: now)
        connection.state.withLockedValue { $0.resetAlarm() }
        wake()
    }
}
