import Foundation
import NIOCore

/// Reads request heads on one connection and plays the steps for each.
final class FaultHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var received = ""
    private let arrived: @Sendable (_ path: String, _ head: String) -> Int
    private let steps: FaultServer.Script

    init(
        arrived: @escaping @Sendable (_ path: String, _ head: String) -> Int, steps: @escaping FaultServer.Script
    ) {
        self.arrived = arrived
        self.steps = steps
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += String(buffer: unwrapInboundIn(data))
        while let end = received.range(of: "\r\n\r\n") {
            let head = String(received[..<end.lowerBound])
            received.removeSubrange(..<end.upperBound)
            let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            play(steps(path, arrived(path, head))[...], context: context)
        }
    }

    private func play(_ steps: ArraySlice<FaultStep>, context: ChannelHandlerContext) {
        guard let step = steps.first, context.channel.isActive else { return }
        let rest = steps.dropFirst()
        switch step {
        case .send(let bytes):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            play(rest, context: context)
        case .sendZeros(let count):
            sendZeros(count, rest: rest, context: context)
        case .pause(let time):
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: TimeAmount(time)) {
                let (handler, context) = bound.value
                handler.play(rest, context: context)
            }
        case .close:
            context.close(promise: nil)
        case .reset:
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            let set = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            set?.whenComplete { _ in bound.value.close(promise: nil) }
        case .hang:
            break
        }
    }

    private func sendZeros(_ count: Int, rest: ArraySlice<FaultStep>, context: ChannelHandlerContext) {
        guard count > 0 else { return play(rest, context: context) }
        let part = min(count, 1 << 16)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(repeating: 0, count: part))).whenSuccess {
            let (handler, context) = bound.value
            handler.sendZeros(count - part, rest: rest, context: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
