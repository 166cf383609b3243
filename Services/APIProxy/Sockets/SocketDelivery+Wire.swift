import Foundation
import JSONRPC
import NIOCore
import SuiteMethods

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
