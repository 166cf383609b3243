import NIOCore

extension ConnectionGate {
    /// The server stops: nothing that a client has sent stays without an answer, and no answer lets it send more here.
    func stop(_ context: ChannelHandlerContext) {
        guard !isStopping else { return }
        isStopping = true
        switch phase {
        case .asking(let head, let socket, _):
            socket.abandon()
            refuse(.restarting, head, context)
        case .fresh: decide(wasUsed: false, context)
        case .http:
            // The 101 may be on its way, and the handler of what follows it not be there to be told.
            if let admitted { admitted.closeForRestart() } else { decide(wasUsed: true, context) }
        case .failing, .lingering: break
        }
    }

    private func decide(wasUsed: Bool, _ context: ChannelHandlerContext) {
        let hasBytes = pace.headHasBegun || context.channel.hasUnread
        switch StopDecision(answersOwed: outstanding, wasUsed: wasUsed, hasBytes: hasBytes) {
        case .answer: closesAfterAnswer = true
        case .awaitRequest:
            context.eventLoop.assumeIsolated().scheduleTask(in: door.hub.patience.lastRequest) { [weak self] in
                self?.patienceEnded()
            }
        case .close: context.close(promise: nil)
        }
    }

    private func patienceEnded() {
        guard let context, outstanding == 0 else { return }
        switch phase {
        case .fresh, .http: pace.headHasBegun ? fail(.restarting, nil, context) : context.close(promise: nil)
        case .asking, .failing, .lingering: break
        }
    }
}
