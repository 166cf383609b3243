import BookstrackContract
import Crypto
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// A WebSocket request that is being admitted or refused.
struct Upgrade {
    let head: HTTPRequestHead
    let target: UpgradeTarget
    let socket: UpgradedConnection
    let activity: Activity

    /// The response that ends HTTP on the connection (RFC 6455 §4.2.2).
    fileprivate var accepted: ByteBuffer {
        let key = head.headers["Sec-WebSocket-Key"].first ?? ""
        let digest = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        var fields = HTTPFields()
        fields.append(HTTPField(name: .upgrade, value: "websocket"))
        fields.append(HTTPField(name: .connection, value: "Upgrade"))
        fields.append(HTTPField(name: .secWebSocketAccept, value: Data(digest).base64EncodedString()))
        if let offered = target.subprotocol {
            fields.append(HTTPField(name: .secWebSocketProtocol, value: offered))
        }
        StandardFields.addIdentity(to: &fields, Exchange(activity))
        return ResponseHead.bytes(.switchingProtocols, fields)
    }
}

/// Ends the task that answers a connection's requests, which would otherwise run until the connection closes.
private struct BecomesWebSocket: Error {}

/// Issues reads in place of NIO's async channel, which cannot be removed from a pipeline and stops reading once its task has ended.
private final class ReadResumer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        context.read()
    }
}

// MARK: Admission

extension HTTPConnection {
    func ask(_ target: UpgradeTarget, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let activity = Activity(TraceContext(head.headers))
        func decide(_ socket: UpgradedConnection) {
            exchanges.phase = .asking(Upgrade(head: head, target: target, socket: socket, activity: activity))
        }
        do throws(APIFailure) {
            switch target {
            case .job(let request):
                activity.concern(job: request.jobId.text)
                let socket = try rules.watchers.enter(job: request.jobId, head, context.channel) {
                    ProgressSocket(id: $0, request: request.socketRequest, permit: $1, shard: $2)
                }
                decide(socket.connection)
                Activity.$current.withValue(activity) {
                    rules.watchers.ask(request.socketRequest, for: socket, on: context.eventLoop) { [weak self] in
                        self?.answered($0.map { _ in })
                    }
                }
            case .jobs:
                decide(try JobsSocket(rules.watchers, head, context.channel, rules.limiter).connection)
                // This has to wait until the decoder has returned, because the upgrade removes the decoder.
                context.eventLoop.assumeIsolated().execute { [weak self] in self?.answered(.success(())) }
            }
        } catch {
            answer(error, .upgrade(head), context, activity: activity)
        }
    }

    func refuse(_ upgrade: Upgrade, _ failure: APIFailure, _ context: ChannelHandlerContext) {
        answer(failure, .upgrade(upgrade.head), context, activity: upgrade.activity)
    }

    private func answered(_ outcome: Result<Void, APIFailure>) {
        guard let context, case .asking(let upgrade) = exchanges.phase else { return }
        switch outcome {
        case .failure(let failure):
            upgrade.socket.abandon()
            refuse(upgrade, failure, context)
        case .success:
            rules.publish(.upgrade(upgrade.head), status: 101, channel: context.channel, upgrade.activity)
            exchanges.phase = .upgrading(upgrade)
            guard let servingHandlers else { return becomeWebSocket(upgrade, context) }
            // Otherwise they would take memory for as long as the WebSocket is open.
            for handler in servingHandlers { context.pipeline.syncOperations.removeHandler(handler, promise: nil) }
            context.fireErrorCaught(BecomesWebSocket())
        }
    }
}

// MARK: The 101

extension HTTPConnection {
    /// Intercepts closes by the router's handlers. During an upgrade, the channel must stay open, although the task that answered earlier requests
    /// ends. If the client has closed its sending side, a close could drop responses that the kernel has not accepted yet, so ``finish()`` replaces
    /// it.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch exchanges.phase {
        case .asking: promise?.succeed()
        case .upgrading(let upgrade):
            promise?.succeed()
            if mode == .all { becomeWebSocket(upgrade, context) }
        case .open where mode == .output && exchanges.answersOwed == 0, .open where isLeftByRouter && mode != .input,
            .failing where isLeftByRouter && mode != .input:
            // If a channel's input has ended, closing its output closes all of it and drops pending writes.
            promise?.succeed()
            finish()
        case .finishing where mode == .output || isLeftByRouter: promise?.succeed()
        case .open, .waiting, .failing, .finishing, .lingering: context.close(mode: mode, promise: promise)
        }
    }

    /// Whether a close comes from the router, because the client has closed its sending side. If the router still owes a response, it closes first
    /// the output and then all of the channel, even if the client has not received the responses to earlier requests yet.
    private var isLeftByRouter: Bool { inputIsClosed && loop?.isStarted != true && !exchanges.isStopping }

    private func becomeWebSocket(_ upgrade: Upgrade, _ context: ChannelHandlerContext) {
        let channel = context.channel
        let pipeline = channel.pipeline.syncOperations
        write(upgrade.accepted)
        // The write may have found that the client is gone.
        guard channel.isActive else { return }
        let held = input.takeHeld()
        do {
            try channel.syncOptions?.setOption(.writeBufferWaterMark, value: .init(low: 16_384, high: 32_768))
            // First in the pipeline, so that frames bypass the HTTP handlers.
            try pipeline.addHandler(upgrade.socket, position: .first)
            if servingHandlers != nil { try pipeline.addHandler(ReadResumer(), position: .first) }
            let reader = try pipeline.context(handler: upgrade.socket)
            for handler in [input, self] as [any RemovableChannelHandler] {
                pipeline.removeHandler(handler, promise: nil)
            }
            open.endHTTP(channel)
            // When the connection closes, this handler is gone, and no other handler does this.
            rules.feed.aborted.forget(channel)
            if held.readableBytes > 0 {
                pipeline.fireChannelRead(NIOAny(held))
                pipeline.fireChannelReadComplete()
            }
            reader.read()
        } catch {
            // The channel has closed.
            upgrade.socket.abandon()
            context.close(promise: nil)
        }
    }
}
