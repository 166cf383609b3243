package import NIOCore
import Observability

/// A frame for one or more sockets, sent from progress-host to api-proxy as the raw notification `sockets.deliver
/// {"sockets":[1,2],"kind":"progress","seq":17,"frame":{…}}`.
///
/// The members are in exactly this order and without white space, so a receiver can slice out the frame instead of decoding it (Services/README.md
/// "JSON-RPC", hot messages). A text frame that is not JSON (v1's `PONG`) has the kind `text`, and its `frame` is a JSON string.
package struct SocketDelivery: Sendable, Equatable {
    package static let name = "sockets.deliver"

    /// How the queue of a slow reader treats a frame (websocket.md "Slow readers").
    package enum Kind: String, Sendable, CaseIterable {
        /// An event; delivered in order.
        case event
        /// An event that is replaced by a newer one while both are waiting.
        case progress
        /// A stored event that the client requested with `since=` or missed before its socket was resumed, or a new event whose frame is large; newer
        /// events do not replace it.
        case replayed
        /// The last event of a page of stored events, if another page follows: api-proxy responds with `SocketCaughtUp` when the socket has taken it,
        /// and the next page is sent. A client therefore receives any number of events as fast as it reads, with at most one page waiting in memory.
        case page
        /// The last event of a job; never dropped, and exempt from the limits (websocket.md "Slow readers").
        case terminal
        /// `reconnected`. This is not an event; the first one on a socket specifies the event after which the socket's stream begins.
        case reconnected
        /// `ready_ack`. This is not an event; if the stream has not begun, it begins with the next event.
        case readyAck = "ready_ack"
        /// Any other frame that is not an event, such as a `pong` or a keep-alive.
        case control
        /// An application `ping` or, in the v1 dialect, a keep-alive; sent together with a WebSocket PING frame.
        case ping
        /// Plain text, not JSON.
        case text
    }

    /// The sockets that receive the frame.
    package var sockets: [SocketID]
    /// How the queue of a slow reader treats the frame.
    package var kind: Kind
    /// The frame's `seq`.
    package var seq: Int
    /// The frame's own JSON text.
    package var frame: ByteBuffer

    package init(sockets: [SocketID], kind: Kind, seq: Int, frame: ByteBuffer) {
        self.sockets = sockets
        self.kind = kind
        self.seq = seq
        self.frame = frame
    }

    /// The notification's parameters.
    package var raw: ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(frame.readableBytes + 64 + sockets.count * 8)
        buffer.writeString("{\"sockets\":[")
        for (index, socket) in sockets.enumerated() {
            buffer.writeString(index == 0 ? "\(socket.number)" : ",\(socket.number)")
        }
        buffer.writeString("],\"kind\":\"\(kind.rawValue)\",\"seq\":\(seq),\"frame\":")
        buffer.writeImmutableBuffer(frame)
        buffer.writeString("}")
        return buffer
    }

    /// Parses parameters; nil if they do not have the documented order and form.
    package init?(raw: ByteBuffer) {
        var reader = raw
        guard reader.skip("{\"sockets\":["), let list = reader.readText(until: UInt8(ascii: "]")),
            reader.skip(",\"kind\":\""), let kind = reader.readText(until: UInt8(ascii: "\"")).flatMap(Kind.init),
            reader.skip(",\"seq\":"), let seq = reader.readText(until: UInt8(ascii: ",")).flatMap(Int.init),
            reader.skip("\"frame\":"), reader.readableBytes > 1,
            let frame = reader.readSlice(length: reader.readableBytes - 1), reader.skip("}")
        else { return nil }
        var sockets: [SocketID] = []
        for number in list.split(separator: ",") {
            guard let number = UInt64(number) else { return nil }
            sockets.append(SocketID(number))
        }
        self.init(sockets: sockets, kind: kind, seq: seq, frame: frame)
    }
}

extension ByteBuffer {
    /// Moves past `text` if it comes next.
    fileprivate mutating func skip(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard readableBytes >= length,
            readableBytesView.prefix(length).elementsEqual(
                UnsafeBufferPointer(start: text.utf8Start, count: length))
        else { return false }
        moveReaderIndex(forwardBy: length)
        return true
    }

    /// Returns the text up to the next `byte` and moves past that byte; nil if there is no such byte.
    fileprivate mutating func readText(until byte: UInt8) -> String? {
        guard let end = readableBytesView.firstIndex(of: byte),
            let text = readString(length: readableBytesView.distance(from: readableBytesView.startIndex, to: end))
        else { return nil }
        moveReaderIndex(forwardBy: 1)
        return text
    }
}

/// The metrics at both ends count deliveries by kind.
extension SocketDelivery.Kind: MetricLabel {
    package static var labelName: String { "kind" }
}
