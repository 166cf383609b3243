import JSON
import NIOCore

/// The error object of a response (JSON-RPC 2.0 §5.1).
package struct ErrorObject: Equatable, Sendable {
    /// One of ``RPCErrorCode`` or, in a received response, any other code.
    package var code: Int
    /// A human-readable message.
    package var message: String
    /// The stable code and the details of an application error; nil for other errors.
    package var data: RPCErrorDetail?

    /// Creates the response to a handler's failure. Errors that are not meant for callers become "internal error".
    init(answering failure: any Error) {
        switch failure {
        case let error as RPCApplicationError:
            self.init(code: RPCErrorCode.application, message: error.message, data: error.detail)
        case let error as InvalidParameters:
            self.init(code: RPCErrorCode.invalidParameters, message: error.description)
        case let error as RPCError:
            self.init(answering: error)
        case is CancellationError:
            self.init(code: RPCErrorCode.cancelled, message: "request cancelled")
        default:
            self.init(code: RPCErrorCode.internalError, message: "internal error")
        }
    }

    /// Creates the response if a call made by the handler failed. An application error is passed on unchanged.
    private init(answering failure: RPCError) {
        switch failure.kind {
        case .remote(let code, let message, let data?): self.init(code: code, message: message, data: data)
        case .cancelled: self.init(code: RPCErrorCode.cancelled, message: "request cancelled")
        case .overloaded: self = .overloaded
        default: self.init(code: RPCErrorCode.internalError, message: "internal error")
        }
    }

    /// The response if too many bytes or requests are waiting.
    static let overloaded = ErrorObject(code: RPCErrorCode.overloaded, message: "overloaded")

    init(code: Int, message: String, data: RPCErrorDetail? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// Reads an error object; nil if `json` is not an object, or if `code` or `message` is missing or has the wrong type.
    init?(parsing json: ByteBuffer) {
        guard let members = ObjectReader(json), let code = members.integer("code"),
            let message = members.string("message")
        else { return nil }
        self.init(code: code, message: message)
        guard let data = members.json("data").flatMap(ObjectReader.init), let name = data.string("code") else { return }
        self.data = RPCErrorDetail(
            code: name, details: data.object("details"), retryAfterSeconds: data.integer("retryAfterSeconds"))
    }

    func write(to buffer: inout ByteBuffer) {
        buffer.writeString("{\"code\":\(code),\"message\":")
        JSONString.write(message, to: &buffer)
        if let data { data.write(to: &buffer) }
        buffer.writeStaticString("}")
    }
}

extension RPCErrorDetail {
    fileprivate func write(to buffer: inout ByteBuffer) {
        buffer.writeStaticString(",\"data\":{\"code\":")
        JSONString.write(code, to: &buffer)
        if let details, details.readableBytes > 0 {
            buffer.writeStaticString(",\"details\":")
            FrameWriter.writeRaw(details, to: &buffer)
        }
        if let retryAfterSeconds { buffer.writeString(",\"retryAfterSeconds\":\(retryAfterSeconds)") }
        buffer.writeStaticString("}")
    }
}

/// The error codes of JSON-RPC 2.0 §5.1, this suite's own codes in the range reserved for servers, and one of the Language Server Protocol's codes.
package enum RPCErrorCode {
    /// The frame is not JSON, not UTF-8, nested too deeply or too long; the connection is closed after the response.
    package static let parseError = -32700
    /// The frame is JSON but neither a request nor a response, or the request's id is still in use. If the frame is not an object (a batch, for
    /// example), the connection is closed after the response.
    package static let invalidRequest = -32600
    /// There is no handler for the method.
    package static let methodNotFound = -32601
    /// The parameters cannot be decoded; the message contains the position, if it is known.
    package static let invalidParameters = -32602
    /// The handler failed with an error that is not meant for callers, or its result or error does not fit into a frame; the cause is logged.
    package static let internalError = -32603
    /// An ``RPCApplicationError``, identified by the string `data.code`.
    package static let application = -32000
    /// The handler stopped, or was not started, because its deadline had passed. A late result is still sent.
    package static let deadlineExceeded = -32001
    /// Too many bytes to the caller, or too many paced requests from it, are waiting (``RPCLimits``). The call was not carried out, or its method is
    /// idempotent, so it can be retried. Also sent if a call made by the handler failed with `overloaded`.
    package static let overloaded = -32002
    /// The handler was cancelled, usually by `$/cancelRequest`; the code is from the Language Server Protocol.
    package static let cancelled = -32800
}

/// Parameters that cannot be decoded, with the position if it is known: "Invalid params at books[3].isbn: expected String".
struct InvalidParameters: Error, CustomStringConvertible {
    let description: String

    init(_ failure: any Error) {
        guard let failure = failure as? DecodingError else {
            description = "Invalid params"
            return
        }
        let (context, fault) =
            switch failure {
            case .typeMismatch(let type, let context): (context, "expected \(type)")
            case .valueNotFound(let type, let context): (context, "expected \(type), found null")
            case .keyNotFound(let key, let context): (context, "\(key.stringValue) is missing")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "cannot be decoded")
            }
        let path = Self.path(context.codingPath)
        description = "Invalid params\(path.isEmpty ? "" : " at \(path)"): \(fault)"
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
