import Foundation
import NIOCore
import SuiteMethods

/// What was delivered to a socket, so that progress-host can continue after a restart and nothing is sent twice (Services/README.md rule 5).
struct DeliveryLedger: Equatable {
    /// Highest `seq` of a job event that was handed over, or at which the stream began.
    private(set) var lastSeq = 0
    /// Whether the stream has begun: any job event, `reconnected` or `ready_ack` was handed over.
    private(set) var begun = false
    private var hasEnded = false

    /// Whether any job event or `reconnected` was handed over.
    private var isPlaced = false

    /// Whether the frame is new to the socket.
    mutating func admit(_ kind: SocketDelivery.Kind, seq: Int) -> Bool {
        switch kind {
        case .terminal:
            // After a `reconnected` of a job that is over it has the `seq` at which the stream began.
            guard !hasEnded else { return false }
            hasEnded = true
            lastSeq = max(lastSeq, seq)
            begin()
        case .event, .progress, .replayed, .page:
            guard seq > lastSeq else { return false }
            lastSeq = seq
            begin()
        case .reconnected:
            // The first one says where the stream begins; a later one only answers a question.
            guard !isPlaced else { break }
            begin()
            lastSeq = seq
        case .readyAck: begun = true
        case .control, .ping, .text: break
        }
        return true
    }

    private mutating func begin() {
        begun = true
        isPlaced = true
    }
}

extension SocketDelivery {
    /// The frame as bytes on the wire, in memory of its own: what arrived is a slice of a larger read.
    ///
    /// An application `ping` goes with a WebSocket PING frame (websocket.md "Heartbeat"). Nil when bare text is not a JSON string.
    var wireBytes: ByteBuffer? {
        switch kind {
        case .event, .progress, .replayed, .page, .terminal, .reconnected, .readyAck, .control:
            return WebSocketWire.text(frame)
        case .ping:
            var bytes = WebSocketWire.text(frame)
            bytes.writeImmutableBuffer(WebSocketWire.ping())
            return bytes
        case .text:
            guard let text = try? JSONDecoder().decode(String.self, from: Data(frame.readableBytesView)) else {
                return nil
            }
            return WebSocketWire.text(ByteBuffer(string: text))
        }
    }
}
