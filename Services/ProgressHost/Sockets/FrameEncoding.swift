import BookstrackContract
import JSON
import JSONRPC
import NIOCore

/// Encodes frames and keeps them below 1 KiB (websocket.md "Frames").
enum FrameEncoding {
    /// Number of bytes below which a frame is kept if its strings can be truncated enough (websocket.md "Frames").
    static let softLimit = 1_024

    /// Strings are truncated to these lengths in turn, in bytes of UTF-8, until the frame fits.
    private static let textLengths = [200, 120, 72, 40, 20, 8]

    /// Encodes the frame returned by `build`. `build` truncates its strings to the given limit, and is called again with a smaller limit until the
    /// frame is below `softLimit` or the smallest limit has been used.
    static func encode(_ build: (FrameTextLimit) -> some Encodable) throws -> ByteBuffer {
        try fit { try BodyCoding.encode(build($0)) }
    }

    /// Encodes the progress frame returned by `build` in the same way, but with ``FrameText``.
    static func progress(_ build: (FrameTextLimit) -> ServerFrame<JobProgressPayload>) throws -> ByteBuffer {
        try fit { try FrameText.progress(build($0)) }
    }

    private static func fit(_ write: (FrameTextLimit) throws -> ByteBuffer) rethrows -> ByteBuffer {
        var frame = ByteBuffer()
        for length in textLengths {
            frame = try write(FrameTextLimit(bytes: length))
            if frame.readableBytes < softLimit { break }
        }
        return frame
    }

    /// Inserts elements that are already JSON text into an empty list in a frame. The list is found by the first occurrence of its quoted name, which
    /// cannot be inside a string, because quotation marks in strings are escaped.
    static func insert(_ elements: ByteBuffer, into list: String, of frame: ByteBuffer) -> ByteBuffer {
        let opening = Array("\"\(list)\":[".utf8)
        guard let place = frame.readableBytesView.firstRange(of: opening)?.upperBound else { return frame }
        var whole = ByteBuffer()
        whole.reserveCapacity(frame.readableBytes + elements.readableBytes)
        whole.writeBytes(frame.readableBytesView[..<place])
        whole.writeImmutableBuffer(elements)
        whole.writeBytes(frame.readableBytesView[place...])
        return whole
    }

    /// Inserts elements that are already JSON text into each empty list of this name in a frame.
    static func insert(_ elements: ByteBuffer, intoEach list: String, of frame: ByteBuffer) -> ByteBuffer {
        let opening = Array("\"\(list)\":[".utf8)
        var rest = frame.readableBytesView[...]
        var whole = ByteBuffer()
        while let place = rest.firstRange(of: opening)?.upperBound {
            whole.writeBytes(rest[..<place])
            whole.writeImmutableBuffer(elements)
            rest = rest[place...]
        }
        whole.writeBytes(rest)
        return whole
    }
}

/// Truncates strings for frames at a character boundary (websocket.md "Frames").
struct FrameTextLimit: Sendable {
    /// Maximum length of a string in bytes of UTF-8; at least 3, the length of the ellipsis.
    let bytes: Int

    /// Creates a limit of `bytes`, but at least 3.
    init(bytes: Int) { self.bytes = max(bytes, 3) }

    /// `text`, or as many of its first characters as fit, with an ellipsis.
    func cut(_ text: String) -> String {
        guard text.utf8.count > bytes else { return text }
        var kept = ""
        var size = 0
        for character in text {
            size += character.utf8.count
            if size + 3 > bytes { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// `text` truncated; nil for nil.
    func cut(_ text: String?) -> String? { text.map { cut($0) } }
}

/// Writes the most frequent frames by hand; an `Encoder` writes only their `failureCounts`.
///
/// The bytes are the same as for an encoded `ServerFrame`: the contract's members in declaration order.
enum FrameText {
    static func progress(_ frame: ServerFrame<JobProgressPayload>) throws -> ByteBuffer {
        var text = envelope(of: frame, capacity: FrameEncoding.softLimit)
        try write(frame.payload, to: &text)
        text.writeStaticString("}")
        return text
    }

    static func readyAck(_ frame: ServerFrame<ReadyAckPayload>) -> ByteBuffer {
        var text = envelope(of: frame, capacity: 256)
        text.writeStaticString("{\"type\":\"")
        text.writeString(frame.payload.type.rawValue)
        text.writeStaticString("\",\"timestamp\":")
        text.write(frame.payload.timestamp)
        text.writeStaticString("}}")
        return text
    }

    /// The members before the payload.
    private static func envelope<Payload>(of frame: ServerFrame<Payload>, capacity: Int) -> ByteBuffer {
        var text = ByteBufferAllocator().buffer(capacity: capacity)
        text.writeStaticString("{\"type\":\"")
        text.writeString(frame.type.rawValue)
        text.writeStaticString("\",\"jobId\":")
        JSONString.write(frame.jobId.text, to: &text)
        text.writeStaticString(",\"pipeline\":\"")
        text.writeString(frame.pipeline.rawValue)
        text.writeStaticString("\",\"timestamp\":")
        text.write(frame.timestamp)
        text.writeStaticString(",\"version\":")
        JSONString.write(frame.version, to: &text)
        text.writeStaticString(",\"seq\":")
        text.write(Int64(frame.seq))
        text.writeStaticString(",\"payload\":")
        return text
    }

    private static func write(_ payload: JobProgressPayload, to text: inout ByteBuffer) throws {
        text.writeStaticString("{\"type\":\"")
        text.writeString(payload.type.rawValue)
        text.writeStaticString("\",\"progress\":")
        text.write(share: payload.progress)
        text.write(",\"percentage\":", payload.percentage)
        text.write(",\"status\":", payload.status)
        text.write(",\"processedCount\":", payload.processedCount)
        text.write(",\"totalCount\":", payload.totalCount)
        text.write(",\"remaining\":", payload.remaining)
        text.write(",\"booksProcessed\":", payload.booksProcessed)
        text.write(",\"totalBooks\":", payload.totalBooks)
        text.write(",\"currentItem\":", payload.currentItem)
        text.write(",\"currentTitle\":", payload.currentTitle)
        if let details = payload.currentItemDetails { write(details, to: &text) }
        text.write(",\"userMessage\":", payload.userMessage)
        text.write(",\"estimatedTimeRemaining\":", payload.estimatedTimeRemaining)
        text.write(",\"successCount\":", payload.successCount)
        text.write(",\"failureCount\":", payload.failureCount)
        if let counts = payload.failureCounts {
            text.writeStaticString(",\"failureCounts\":")
            text.writeImmutableBuffer(try BodyCoding.encode(counts))
        }
        if let keepAlive = payload.keepAlive {
            text.writeStaticString(keepAlive ? ",\"keepAlive\":true" : ",\"keepAlive\":false")
        }
        text.writeStaticString("}")
    }

    private static func write(_ details: JobProgressPayload.ItemDetails, to text: inout ByteBuffer) {
        text.writeStaticString(",\"currentItemDetails\":{")
        if let isbn = details.isbn { text.write("\"isbn\":", isbn) }
        if let author = details.author { text.write(details.isbn == nil ? "\"author\":" : ",\"author\":", author) }
        text.writeStaticString("}")
    }
}

extension ByteBuffer {
    fileprivate mutating func write(_ name: StaticString, _ value: String) {
        writeStaticString(name)
        JSONString.write(value, to: &self)
    }

    /// Writes a name and a value; writes nothing if the value is nil.
    fileprivate mutating func write(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        writeStaticString(name)
        write(Int64(value))
    }

    fileprivate mutating func write(_ number: Int64) { writeString(String(number)) }

    /// Writes a number from 0 to 1 as the shortest text that reads back as the same number.
    fileprivate mutating func write(share: Double) {
        if share == 0 || share == 1 { write(Int64(share)) } else { writeString(String(share)) }
    }
}
