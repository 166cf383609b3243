import BookstrackContract
import JSONRPC
import NIOCore

/// Writes progress frames by hand, since a job has more of them than of all others together.
///
/// The bytes are those that encoding a `ServerFrame` gives: the members of the contract in the order in which they are declared.
enum ProgressFrameText {
    static func write(_ frame: ServerFrame<JobProgressPayload>) throws -> ByteBuffer {
        var text = ByteBufferAllocator().buffer(capacity: FrameEncoding.softLimit)
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
        try write(frame.payload, to: &text)
        text.writeStaticString("}")
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

    /// Writes nothing when there is no value.
    fileprivate mutating func write(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        writeStaticString(name)
        write(Int64(value))
    }

    fileprivate mutating func write(_ number: Int64) { writeString(String(number)) }

    /// Writes a number from 0 to 1 as the shortest text that reads back as the same.
    fileprivate mutating func write(share: Double) {
        if share == 0 || share == 1 { write(Int64(share)) } else { writeString(String(share)) }
    }
}
