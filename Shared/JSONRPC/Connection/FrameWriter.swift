import JSON
import NIOCore
import Observability

/// Writes frames without an `Encoder`, each with its terminating `\n`; in bodies, only line breaks are changed.
enum FrameWriter {
    /// Writes a request: `{"jsonrpc":"2.0","id":7,"method":"jobs.create","deadlineMs":5000,"traceparent":"00-…","requestId":"…","params":{…}}`,
    /// without `traceparent` if the call does not belong to an ``Activity``, and without `requestId` if it equals the trace's identifier.
    static func writeRequest(
        id: Int64, method: String, deadline: Duration, trace: TraceContext?, parameters: ByteBuffer,
        to buffer: inout ByteBuffer
    ) {
        buffer.reserveCapacity(minimumWritableBytes: parameters.readableBytes + method.utf8.count + 256)
        buffer.writeStaticString("{\"jsonrpc\":\"2.0\",\"id\":")
        buffer.writeString(String(id))
        buffer.writeStaticString(",\"method\":")
        JSONString.write(method, to: &buffer)
        buffer.writeStaticString(",\"deadlineMs\":")
        buffer.writeString(String(deadline.wholeMilliseconds))
        if let trace { write(trace, to: &buffer) }
        buffer.writeStaticString(",\"params\":")
        writeRaw(parameters, to: &buffer)
        buffer.writeStaticString("}\n")
    }

    private static func write(_ trace: TraceContext, to buffer: inout ByteBuffer) {
        buffer.writeStaticString(",\"traceparent\":")
        JSONString.write(trace.traceparent, to: &buffer)
        guard let requestID = trace.ownRequestID else { return }
        buffer.writeStaticString(",\"requestId\":")
        JSONString.write(requestID, to: &buffer)
    }

    /// Writes a notification: `{"jsonrpc":"2.0","method":"progress","params":{…}}`.
    static func writeNotification(method: String, parameters: ByteBuffer, to buffer: inout ByteBuffer) {
        buffer.reserveCapacity(minimumWritableBytes: parameters.readableBytes + method.utf8.count + 48)
        buffer.writeStaticString("{\"jsonrpc\":\"2.0\",\"method\":")
        JSONString.write(method, to: &buffer)
        buffer.writeStaticString(",\"params\":")
        writeRaw(parameters, to: &buffer)
        buffer.writeStaticString("}\n")
    }

    /// Writes a response: `{"jsonrpc":"2.0","id":7,"result":{…}}`.
    static func writeResult(id: RPCID, _ result: ByteBuffer, to buffer: inout ByteBuffer) {
        buffer.reserveCapacity(minimumWritableBytes: result.readableBytes + 64)
        buffer.writeStaticString("{\"jsonrpc\":\"2.0\",\"id\":")
        id.write(to: &buffer)
        buffer.writeStaticString(",\"result\":")
        writeRaw(result, to: &buffer)
        buffer.writeStaticString("}\n")
    }

    /// Writes an error response: `{"jsonrpc":"2.0","id":7,"error":{…}}`; the id is null if the request's id could not be read.
    static func writeFailure(id: RPCID?, _ error: ErrorObject, to buffer: inout ByteBuffer) {
        buffer.writeStaticString("{\"jsonrpc\":\"2.0\",\"id\":")
        if let id { id.write(to: &buffer) } else { buffer.writeStaticString("null") }
        buffer.writeStaticString(",\"error\":")
        error.write(to: &buffer)
        buffer.writeStaticString("}\n")
    }

    /// Copies JSON text. Line breaks (`\n`), which in JSON can only be white space, become spaces, because a line break would end the frame.
    static func writeRaw(_ json: ByteBuffer, to buffer: inout ByteBuffer) {
        let hasLineBreak = json.withUnsafeReadableBytes { $0.firstIndex(of: UInt8(ascii: "\n"), from: 0) != nil }
        if hasLineBreak {
            buffer.writeBytes(json.readableBytesView.lazy.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 })
        } else {
            buffer.writeImmutableBuffer(json)
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up; at least 1 and at most the 32-bit maximum of the wire format.
    var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 1 }
        guard seconds < Int64(Int32.max / 1_000) else { return .max }
        return max(1, Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }

    /// ``wholeMilliseconds`` for an event loop's clock, whose 64-bit nanoseconds cannot express every `Duration`.
    var timeAmount: TimeAmount { .milliseconds(Int64(wholeMilliseconds)) }
}
