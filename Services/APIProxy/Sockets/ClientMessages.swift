import BookstrackContract
import NIOCore
import NIOWebSocket

/// What a client says on its socket: puts its messages together, and finds what is no message or one too many.
struct ClientMessages {
    /// What a data frame comes to.
    enum Arrival: Equatable {
        /// More of the message is to come.
        case part
        case message(String)
        /// The frame does not belong here; the socket closes.
        case malformed(CloseCode, reason: String)
        /// A whole message that is not taken; the socket closes.
        case refused(CloseCode, reason: String)

        /// Whether a message is complete.
        var endsMessage: Bool {
            switch self {
            case .message, .refused: true
            case .part, .malformed: false
            }
        }
    }

    private var assembler = MessageAssembler()
    private var flood = FloodLimit()

    /// Takes a text, binary or continuation frame.
    mutating func take(_ frame: WebSocketFrame, at now: NIODeadline) -> Arrival {
        do throws(MessageAssembler.Fault) {
            guard let message = try assembler.append(frame.opcode, fin: frame.fin, frame.unmaskedData) else {
                return .part
            }
            guard flood.admit(at: now) else {
                return .refused(.policyViolation, reason: "more than \(FloodLimit.messages) messages in 10 s")
            }
            guard let text = String(validating: message.readableBytesView, as: UTF8.self) else {
                return .refused(.protocolError, reason: "message is not UTF-8")
            }
            return .message(text)
        } catch {
            return switch error {
            case .tooLarge: .malformed(.messageTooBig, reason: "message is over 64 KiB")
            case .outOfOrder: .malformed(.protocolError, reason: "fragments out of order")
            }
        }
    }
}
