import BookstrackContract
import NIOCore
import SuiteMethods

/// The lines of an event stream (HTML standard §9.2.6).
enum EventStreamText {
    /// A comment, which clients ignore: it keeps proxies and Firefox from closing a silent stream (streams.md "Server-sent events").
    static let heartbeat = ByteBuffer(staticString: ": heartbeat\n\n")

    /// Sets how long the client waits before it reconnects.
    static func retry(milliseconds: Int) -> ByteBuffer { ByteBuffer(string: "retry: \(milliseconds)\n\n") }

    /// One event. The data is a single line: JSON text escapes line breaks in strings, and a frame arrives as one line of JSON-RPC.
    static func event(id: String?, type: Substring?, data: ByteBuffer) -> ByteBuffer {
        var text = ByteBuffer()
        text.reserveCapacity(data.readableBytes + 64)
        if let id { text.writeString("id: \(id)\n") }
        if let type { text.writeString("event: \(type)\n") }
        text.writeStaticString("data: ")
        text.writeImmutableBuffer(data)
        text.writeStaticString("\n\n")
        return text
    }
}

extension EventStreamText {
    /// `EventSource` dispatches events of this type itself when a connection fails (HTML standard §9.2.3).
    private static let reservedType = "error"
    private static let jobErrorType: Substring = "job_error"
    /// The start of every frame, before its type: members are encoded in the order of their declaration.
    private static let typeMember = Array(#"{"type":""#.utf8)

    /// A frame as an event of its type.
    static func event(id: String, frame: ByteBuffer) -> ByteBuffer { event(id: id, type: type(of: frame), data: frame) }

    private static func type(of frame: ByteBuffer) -> Substring? {
        let bytes = frame.readableBytesView
        guard bytes.starts(with: typeMember) else { return nil }
        let rest = bytes.dropFirst(typeMember.count)
        guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let type = String(decoding: rest[..<end], as: UTF8.self)
        return type == reservedType ? jobErrorType : type[...]
    }
}

extension SocketDelivery {
    /// The frame as an event; nil for bare text, which exists only in the v1 dialect.
    var eventStreamBytes: ByteBuffer? {
        kind == .text ? nil : EventStreamText.event(id: "\(seq)", frame: frame)
    }
}
