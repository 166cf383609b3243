import BookstrackContract
import Foundation
import HTTPTypes
import JSON
import JSONRPC
import NIOCore
import NIOHTTP1
import SuiteMethods

/// An error response to a request. Only `FailureAnswer` turns it into HTTP.
struct APIFailure: Error, Equatable, CustomStringConvertible {
    /// The stable code; determines the status.
    var code: APIErrorCode
    /// Text for users.
    var message: String
    /// Machine-readable context, for example the invalid field; nil if there is none.
    var details: [String: DetailValue]?
    /// Seconds after which a retry may succeed, sent as `Retry-After`; nil if that is unknown.
    var retryAfter: Int?
    /// Further header fields, for example `Allow`.
    var fields: HTTPFields = [:]
    /// Whether the connection closes after the response, without reading the rest of the request.
    var closesConnection = false
    /// Whether the request counts against the client's rate limits; false if it failed because a service is down.
    var counts = true

    /// Code and message, for the log.
    var description: String { "\(code.rawValue): \(message)" }

    init(_ code: APIErrorCode, _ message: String, details: [String: DetailValue]? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.details = details
        self.retryAfter = retryAfter
    }
}

extension APIFailure {
    /// The same message for an unknown job and for a wrong token, so callers cannot find out which jobs exist (websocket.md "Upgrade").
    static let unauthorized = APIFailure(.unauthorized, "The job is unknown or the token does not belong to it.")

    /// No token was sent. As with ``unauthorized``, the message does not reveal whether the job exists.
    static let tokenMissing = APIFailure(
        .unauthorized, "Send the job's token, returned when the job was started, as \"Authorization: Bearer TOKEN\".")

    /// progress-host is not connected, or does not respond in time.
    static let hostUnavailable = unavailable(.progressHost)

    /// No enrichment-worker is connected, or the one that was called is lost or does not respond in time.
    static let workerUnavailable = unavailable(.enrichmentWorker)

    private static func unavailable(_ service: ServiceName) -> APIFailure {
        var failure = APIFailure(
            .serviceUnavailable, "\(service.rawValue) is down or does not answer. Please try again.",
            details: ["service": .text(service.rawValue)], retryAfter: 2)
        failure.counts = false
        return failure
    }

    /// The disk has no space left for uploads.
    static let diskFull = APIFailure(
        .serviceUnavailable, "The server has no space left for uploads. Please try again later.", retryAfter: 60)

    /// Too many calls or bytes are waiting on a connection between the services (`RPCError.overloaded`).
    static let overloaded = APIFailure(.serviceUnavailable, "The service is busy. Please try again.", retryAfter: 2)

    /// This process is stopping.
    static let restarting = APIFailure(
        .serviceUnavailable, "The service is restarting. Please try again.", retryAfter: 2)

    /// A fault of the server itself; the log contains the cause.
    static let internalError = APIFailure(.internalError, "Something went wrong on the server.")

    /// The failure for a request that violates HTTP (RFC 9112).
    static func malformedHTTP(_ reason: String) -> APIFailure {
        var failure = APIFailure(.invalidRequest, "Malformed HTTP request: \(reason).")
        failure.closesConnection = true
        return failure
    }

    /// The failure for a request that arrived too slowly (http-api.md "Validation").
    static func late(_ part: String) -> APIFailure {
        var failure = APIFailure(.requestTimeout, "The request's \(part) took too long.")
        failure.closesConnection = true
        return failure
    }

    /// A malformed JSON body, with the position of the fault.
    init(_ fault: JSONFault, in body: [UInt8]) {
        let (line, column) = fault.place(in: body)
        self.init(
            .invalidRequest,
            "Malformed JSON at line \(line), column \(column) (byte \(fault.offset)): \(fault.reason(in: "body")).",
            details: ["line": .integer(line), "column": .integer(column), "offset": .integer(fault.offset)])
    }

    /// A value that breaks a rule; `place` is, for example, `books[3].title`.
    static func invalid(_ place: String, _ rule: String) -> APIFailure {
        APIFailure(.invalidRequest, "\(place) \(rule).", details: ["field": .text(place)])
    }

    /// The failure for a value that is not one of the type's cases.
    static func invalid<Value: CaseIterable & RawRepresentable<String>>(
        _ place: String, notIn type: Value.Type
    ) -> APIFailure {
        .invalid(place, "must be one of \(type.allCases.map(\.rawValue).joined(separator: ", "))")
    }
}

extension APIFailure {
    /// Converts any thrown error into a failure. Nil if there is no response, because the client disconnected or the request's task was cancelled.
    init?(answering error: any Error) {
        switch error {
        case let failure as APIFailure: self = failure
        case let error as RPCError where error == .cancelled: return nil
        case let error as RPCError: self.init(error)
        case UploadFault.diskFull: self = .diskFull
        case is ServerStops: self = .restarting
        case is HTTPParserError: self = .malformedHTTP("the body does not match its framing headers")
        case is CancellationError, is ChannelError: return nil
        default: self = .internalError
        }
    }

    /// Converts the error of a call to a worker. A lost or missing connection or a missed deadline becomes ``workerUnavailable``.
    init(fromWorker error: RPCError) {
        switch error.kind {
        case .connectionLost, .notConnected, .deadlineExceeded: self = .workerUnavailable
        default: self.init(error)
        }
    }

    /// Converts an RPC error. An application error keeps its code if the API defines that code (Services/README.md "JSON-RPC"). A lost or missing
    /// connection or a missed deadline becomes ``hostUnavailable``, so calls to workers use ``init(fromWorker:)``.
    private init(_ error: RPCError) {
        guard let name = error.applicationCode, case .remote(_, let message, _) = error.kind else {
            switch error.kind {
            case .connectionLost, .notConnected, .deadlineExceeded: self = .hostUnavailable
            case .overloaded: self = .overloaded
            default: self = .internalError
            }
            return
        }
        guard let code = APIErrorCode(rawValue: name) else {
            self = .internalError
            return
        }
        guard code != .unauthorized else {
            self = .unauthorized
            return
        }
        let details = error.details.flatMap {
            try? JSONDecoder().decode([String: DetailValue].self, from: Data($0.readableBytesView))
        }
        let retryAfter =
            error.retryAfterSeconds ?? (code == .serviceUnavailable || code == .tooManyConnections ? 2 : nil)
        self.init(code, message, details: details, retryAfter: retryAfter)
        counts = code != .serviceUnavailable || details?["service"] == nil
    }
}

/// An `APIFailure` as an HTTP response in the envelope of http-api.md "Envelope", used by the router, ``LoopExchange`` and
/// ``HTTPConnection``.
struct FailureAnswer {
    let status: HTTPResponse.Status
    let fields: HTTPFields
    let body: ByteBuffer

    init(_ failure: APIFailure, exchange: Exchange, origin: String?, origins: OriginList) {
        status = HTTPResponse.Status(code: failure.code.status)
        body = JSONBody.encode(
            FailureEnvelope(
                error: .init(
                    message: failure.message, code: failure.code, details: failure.details,
                    retryable: failure.code.isRetryable, statusCode: failure.code.status),
                metadata: exchange.metadata))
        var fields: HTTPFields = [.contentType: StandardFields.json, .contentLength: "\(body.readableBytes)"]
        if let seconds = failure.retryAfter { fields[.retryAfter] = "\(seconds)" }
        if failure.code == .unauthorized || failure.code == .tokenExpired { fields[.wwwAuthenticate] = "Bearer" }
        for field in failure.fields { fields[field.name] = field.value }
        // Appended, because the failure may have a connection option of its own.
        if failure.closesConnection { fields.append(HTTPField(name: .connection, value: "close")) }
        StandardFields.add(to: &fields, exchange, origin: origin, origins: origins)
        self.fields = fields
    }

    /// The whole response as bytes. A response to HEAD has no body (RFC 9110 §9.3.2).
    ///
    /// - Parameter date: The value of `Date`.
    func bytes(date: String, isHead: Bool) -> ByteBuffer {
        var fields = fields
        fields.append(HTTPField(name: .date, value: date))
        var bytes = ResponseHead.bytes(status, fields, reserving: body.readableBytes)
        if !isHead { bytes.writeImmutableBuffer(body) }
        return bytes
    }
}
