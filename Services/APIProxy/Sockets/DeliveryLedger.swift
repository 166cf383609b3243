import Foundation
import JSONRPC
import NIOCore
import SuiteMethods

/// What was handed to a socket, so that progress-host can go on after its restart and nothing is sent twice (Services/README.md rule 5).
struct DeliveryLedger: Equatable {
    /// Highest `seq` of a job event that was handed over, or at which the stream began.
    private(set) var lastSeq = 0
    /// What a control frame is to the stream.
    enum Control {
        /// Says where the stream begins.
        case reconnected
        /// The client is ready: its stream begins with the next event, if it has not begun.
        case readyAck
        case other
    }

    /// Whether the stream has begun: any job event, `reconnected` or `ready_ack` was handed over.
    private(set) var begun = false
    private var hasEnded = false

    /// Whether any job event or `reconnected` was handed over.
    private var isPlaced = false

    /// Whether the frame is new to the socket. `control` tells control frames from each other.
    mutating func admit(_ kind: SocketDelivery.Kind, seq: Int, control: @autoclosure () -> Control) -> Bool {
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
        case .control:
            // The first `reconnected` says where the stream begins; a later one only answers a question.
            guard !isPlaced else { break }
            switch control() {
            case .reconnected:
                begin()
                lastSeq = seq
            case .readyAck: begun = true
            case .other: break
            }
        case .ping, .text: break
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
        case .event, .progress, .replayed, .page, .terminal, .control: return WebSocketWire.text(frame)
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

    /// What a control frame is, by its type (`FrameType`).
    var control: DeliveryLedger.Control {
        if frame.range(of: "\"type\":\"reconnected\"") != nil { return .reconnected }
        return frame.range(of: "\"type\":\"ready_ack\"") != nil ? .readyAck : .other
    }
}
