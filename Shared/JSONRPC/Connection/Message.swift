package import JSON
package import NIOCore
package import Observability

/// A frame, classified by its envelope (JSON-RPC 2.0 §4 and §5); bodies stay raw.
package enum Message: Equatable, Sendable {
    case request(id: RPCID, method: String, parameters: ByteBuffer, deadline: Duration?, trace: TraceContext?)
    case notification(method: String, parameters: ByteBuffer)
    case result(id: RPCID, ByteBuffer)
    /// An error response; without an id if the peer could not read the id of the request, or if the id in the response is not a string or a number.
    case failure(id: RPCID?, ErrorObject)
    /// An object that is neither a request nor a response; answered with -32600.
    case invalidRequest(id: RPCID?, reason: String)
    /// A malformed response. It is never answered, because two peers could then answer each other forever.
    case invalidResponse(id: RPCID?, reason: String)

    /// Scans and classifies a frame.
    ///
    /// - Throws: ``JSONFault``
    package init(_ frame: ByteBuffer) throws(JSONFault) {
        let envelope = try EnvelopeScanner.scan(frame)
        let id = envelope.id.flatMap { RPCID($0, in: frame) }
        if envelope.method == nil, envelope.result != nil || envelope.error != nil {
            self = Self.response(envelope, id, frame)
        } else {
            self = Self.request(envelope, id, frame)
        }
    }

    private static func request(_ envelope: Envelope, _ id: RPCID?, _ frame: ByteBuffer) -> Message {
        guard isVersion2(envelope, frame) else { return .invalidRequest(id: id, reason: "jsonrpc must be \"2.0\"") }
        guard let method = envelope.method, method.kind == .string else {
            return .invalidRequest(id: id, reason: "method must be a string")
        }
        let name = frame.decodeString(method.range)
        var parameters = ByteBuffer()
        if let params = envelope.params {
            guard params.kind == .object || params.kind == .array, let slice = frame.slice(of: params.range) else {
                return .invalidRequest(id: id, reason: "params must be an object or an array")
            }
            parameters = slice
        } else {
            parameters.writeStaticString("{}")
        }
        guard envelope.id != nil else { return .notification(method: name, parameters: parameters) }
        guard let id else { return .invalidRequest(id: nil, reason: "id must be a string or a number") }
        return .request(
            id: id, method: name, parameters: parameters, deadline: deadline(envelope, frame),
            trace: trace(envelope, frame))
    }

    private static func response(_ envelope: Envelope, _ id: RPCID?, _ frame: ByteBuffer) -> Message {
        guard isVersion2(envelope, frame) else { return .invalidResponse(id: id, reason: "jsonrpc must be \"2.0\"") }
        switch (envelope.result, envelope.error) {
        case (let result?, nil):
            guard let id, let body = frame.slice(of: result.range) else {
                return .invalidResponse(id: nil, reason: "result without id")
            }
            return .result(id: id, body)
        case (nil, let error?):
            guard let body = frame.slice(of: error.range), let object = ErrorObject(parsing: body) else {
                return .invalidResponse(id: id, reason: "error must have a code and a message")
            }
            return .failure(id: id, object)
        default:
            return .invalidResponse(id: id, reason: "both a result and an error")
        }
    }

    private static func isVersion2(_ envelope: Envelope, _ frame: ByteBuffer) -> Bool {
        guard let version = envelope.jsonrpc, version.kind == .string else { return false }
        return frame.withUnsafeReadableBytes { $0.equals("\"2.0\"", in: version.range) }
            || frame.decodeString(version.range) == "2.0"
    }

    /// The trace that the caller sent, or a new one if it is invalid; nil if the caller sent none.
    private static func trace(_ envelope: Envelope, _ frame: ByteBuffer) -> TraceContext? {
        guard let traceparent = text(envelope.traceparent, frame) else { return nil }
        return TraceContext(traceparent: traceparent, requestID: text(envelope.requestId, frame))
    }

    private static func text(_ slot: Envelope.Slot?, _ frame: ByteBuffer) -> String? {
        guard let slot, slot.kind == .string else { return nil }
        return frame.decodeString(slot.range)
    }

    /// The deadline that the caller sent; nil if the member is missing or is not a positive 32-bit integer. The member is this suite's addition to
    /// JSON-RPC, and other peers may use the name for something else.
    private static func deadline(_ envelope: Envelope, _ frame: ByteBuffer) -> Duration? {
        guard let slot = envelope.deadlineMs, slot.kind == .number, let digits = frame.slice(of: slot.range),
            let milliseconds = Int32(String(buffer: digits)), milliseconds > 0
        else { return nil }
        return .milliseconds(milliseconds)
    }
}

/// The id of a request, of any type that JSON-RPC 2.0 §4 allows except null, which identifies no request.
package enum RPCID: Hashable, Sendable {
    /// The type that this suite sends.
    case integer(Int64)
    /// Any other number, such as one with a fraction: echoed digit by digit.
    case number(String)
    case text(String)

    /// Reads the id of a scanned frame; nil for null and for values that cannot be an id.
    init?(_ slot: Envelope.Slot, in frame: ByteBuffer) {
        switch slot.kind {
        case .string:
            self = .text(frame.decodeString(slot.range))
        case .number:
            guard let digits = frame.slice(of: slot.range) else { return nil }
            self.init(number: String(buffer: digits))
        case .object, .array, .boolean, .null:
            return nil
        }
    }

    /// Creates an id from a number. "-0" is kept as written, so the echo is exact.
    private init(number: String) {
        if let integer = Int64(number), number != "-0" {
            self = .integer(integer)
        } else {
            self = .number(number)
        }
    }

    func write(to buffer: inout ByteBuffer) {
        switch self {
        case .integer(let value): buffer.writeString(String(value))
        case .number(let digits): buffer.writeString(digits)
        case .text(let text): JSONString.write(text, to: &buffer)
        }
    }
}
