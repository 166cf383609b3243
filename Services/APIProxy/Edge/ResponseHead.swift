import HTTPTypes
import NIOCore
import NIOHTTP1

/// The head of an answer as bytes (RFC 9112 §4, §5), for answers that do not pass NIO's encoder.
enum ResponseHead {
    /// - Parameter length: Bytes that are going to follow in the same buffer.
    static func bytes(_ status: HTTPResponse.Status, _ fields: HTTPFields, reserving length: Int = 0) -> ByteBuffer {
        var text = ByteBuffer()
        text.reserveCapacity(length + 768)
        text.writeString("HTTP/1.1 \(status.code) \(HTTPResponseStatus(statusCode: status.code).reasonPhrase)\r\n")
        for field in fields {
            text.writeString(field.name.rawName)
            text.writeStaticString(": ")
            text.writeString(field.value)
            text.writeStaticString("\r\n")
        }
        text.writeStaticString("\r\n")
        return text
    }
}
