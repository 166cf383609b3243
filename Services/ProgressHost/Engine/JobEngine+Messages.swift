import BookstrackContract
import Logging
import NIOCore
import SuiteMethods

extension JobEngine {
    /// Acts on a client's message (websocket.md "Client messages").
    func receive(_ text: String, from key: SocketKey, _ turn: Turn) throws {
        guard let session = sessions[key], !session.isClosing else { return }
        heard(key, turn)
        let message: ClientMessage
        do {
            message = try ClientMessage(bytes: text.utf8)
        } catch {
            return close([key], code: .protocolError, reason: error.rawValue)
        }
        switch message {
        case .ready: try ready(key, turn)
        case .ping(let clientTime):
            try answer(key, kind: .control, turn) { try $0.pong(clientTime: clientTime, seq: $1) }
        case .pong: break
        case .textPing: deliver(ByteBuffer(string: "\"PONG\""), kind: .text, seq: 0, to: [key])
        case .stateRequest(let v1): try stateRequest(key, v1: v1, turn)
        case .cancel: if let job = session.job { cancelSoon(job) }
        case .unknown(let type): ignore("type", type)
        case .unknownAction(let action):
            ignore("action", action)
            switchToV1(key)
        }
    }

    private func ignore(_ member: String, _ value: String) {
        unknownMessages += 1
        logger.debug(
            "unknown client message", metadata: ["\(member)": "\(value.prefix(64))", "count": "\(unknownMessages)"])
    }

    /// The client has shown that it speaks the v1 dialect.
    private func switchToV1(_ key: SocketKey) {
        guard sessions[key]?.v1 == false else { return }
        sessions[key]?.v1 = true
        notify(SocketSpeaksV1.self, SocketSpeaksV1.Parameters(socket: key.socket), to: key.peer)
    }

    private func cancelSoon(_ job: Int64) {
        let step = DurableStep.cancel(job: job)
        if !durableSteps.contains(step) { durableSteps.append(step) }
    }

    private func ready(_ key: SocketKey, _ turn: Turn) throws {
        try answer(key, kind: .control, turn) { try $0.readyAck(seq: $1) }
        _ = try beginNow(key, turn)
    }

    /// Begins the stream of a client that has spoken; false when it had begun before.
    private func beginNow(_ key: SocketKey, _ turn: Turn) throws -> Bool {
        guard let session = sessions[key], session.job != nil else { return false }
        if let token = session.tokenNumber, !session.isReadyNoted {
            sessions[key]?.isReadyNoted = true
            readyTokens.add(token)
        }
        guard sessions[key]?.handshake.ready() == true else { return false }
        try begin(key, turn)
        return true
    }

    /// Sends the current state; the beginning of a v1 stream is that already.
    private func stateRequest(_ key: SocketKey, v1: Bool, _ turn: Turn) throws {
        if v1 { switchToV1(key) }
        let begins = try beginNow(key, turn)
        // A stream that has yet to begin tells the state when its turn comes.
        guard let session = sessions[key], session.place != .beginning, !(begins && session.v1) else { return }
        try answer(key, kind: .control, turn) { composer, seq in
            session.v1 ? try composer.v1Progress() : try composer.reconnected(seq: seq, recovered: false)
        }
    }
}
