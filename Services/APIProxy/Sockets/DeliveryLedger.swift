import Foundation
import NIOCore
import SuiteMethods

/// Records what was delivered to a socket, so that progress-host can continue after a restart and no event is sent twice
/// (Services/README.md rule 5).
struct DeliveryLedger: Equatable {
    /// Highest `seq` of a delivered job event, or the `seq` at which the stream started.
    private(set) var lastSeq = 0
    /// Whether the stream has started: any job event, `reconnected` or `ready_ack` was delivered.
    private(set) var begun = false
    private var hasEnded = false

    /// Whether any job event or `reconnected` was delivered.
    private(set) var isPlaced = false

    /// Records a frame that is about to be delivered; returns false if the socket has already received it.
    mutating func admit(_ kind: SocketDelivery.Kind, seq: Int) -> Bool {
        switch kind {
        case .terminal:
            // After the `reconnected` of an ended job, this frame has the `seq` at which the stream started, so `seq` cannot show whether it was
            // delivered.
            guard !hasEnded else { return false }
            hasEnded = true
            lastSeq = max(lastSeq, seq)
            begin()
        case .event, .progress, .replayed, .page:
            guard seq > lastSeq else { return false }
            lastSeq = seq
            begin()
        case .reconnected:
            // Sets the start of the stream only if no event and no other `reconnected` preceded it.
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
    /// The frame as bytes on a WebSocket, copied because the received bytes are a slice of a larger read.
    ///
    /// A WebSocket PING frame follows an application `ping` (websocket.md "Heartbeat"). Nil if bare text is not a JSON string.
    var webSocketBytes: ByteBuffer? {
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
