import NIOCore

/// What becomes of an HTTP connection when the server stops. Whatever is still answered carries `Connection: close`.
enum StopDecision: Equatable {
    /// Answers are owed: the connection ends after the last of them.
    case answer
    /// A request may be on its way, and its client could not know that it will not be answered: wait for it, for ``PeerPatience/lastRequest``.
    case awaitRequest
    /// The client has had its answers, and knows that an idle connection may end (RFC 9112 §9.3.1, §9.5).
    case close

    /// - Parameters:
    ///   - answersOwed: Requests that have begun and are not answered.
    ///   - wasUsed: Whether there was a request before.
    ///   - hasBytes: Whether bytes of a next request are there, read or not.
    init(answersOwed: Int, wasUsed: Bool, hasBytes: Bool) {
        self = answersOwed > 0 ? .answer : !wasUsed || hasBytes ? .awaitRequest : .close
    }
}

extension ConnectionGate {
    /// The server stops: nothing that a client has sent stays without an answer, and no answer lets it send more here.
    func stop(_ context: ChannelHandlerContext) {
        guard !state.isStopping else { return }
        state.isStopping = true
        switch state.phase {
        case .open: decide(context)
        case .asking(let upgrade):
            upgrade.socket.abandon()
            refuse(upgrade, .restarting, context)
        // The handler of what follows the 101 is not there to be told.
        case .upgrading(let upgrade): upgrade.socket.closeForRestart()
        case .waiting, .failing, .lingering: break
        }
    }

    private func decide(_ context: ChannelHandlerContext) {
        let hasBytes = pace.headHasBegun || context.channel.hasUnread
        switch StopDecision(answersOwed: state.answersOwed, wasUsed: state.wasUsed, hasBytes: hasBytes) {
        case .answer: state.closesAfterAnswer = true
        case .awaitRequest:
            context.eventLoop.assumeIsolated().scheduleTask(in: door.hub.patience.lastRequest) { [weak self] in
                self?.patienceEnded()
            }
        case .close: context.close(promise: nil)
        }
    }

    private func patienceEnded() {
        guard let context, case .open = state.phase, state.answersOwed == 0 else { return }
        if pace.headHasBegun {
            fail(.restarting, .request(nil), context)
        } else {
            context.close(promise: nil)
        }
    }
}
