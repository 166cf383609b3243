package import NIOCore

/// Why a call failed.
package struct RPCError: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The connection dropped before the response, or was already closing or closed. The peer may have done the work, so repeat only idempotent
        /// calls.
        case connectionLost
        /// There is no connection; the call was not sent.
        case notConnected
        /// There was no response within the deadline. The peer was sent a cancellation, unless the outbound queue was full.
        case deadlineExceeded
        /// The calling task was cancelled. If it was waiting for a response, the peer was sent a cancellation, unless the outbound queue was full.
        case cancelled
        /// Too many bytes or calls are waiting (``RPCLimits``): the call was not sent, the peer refused it, or an idempotent method's response did
        /// not fit. A later retry may succeed.
        case overloaded
        /// The frame would be longer than ``RPCLimits/maximumFrameBytes``; the call was not sent.
        case frameTooLarge
        /// The peer sent something that JSON-RPC or the method's types do not allow, or the call's parameters cannot be encoded.
        case protocolViolation(String)
        /// The peer answered with an error object whose code is not ``RPCErrorCode/overloaded``.
        case remote(code: Int, message: String, data: RPCErrorDetail?)
    }

    package var kind: Kind

    package init(_ kind: Kind) {
        self.kind = kind
    }

    package static let connectionLost = RPCError(.connectionLost)
    package static let notConnected = RPCError(.notConnected)
    package static let deadlineExceeded = RPCError(.deadlineExceeded)
    package static let cancelled = RPCError(.cancelled)
    package static let overloaded = RPCError(.overloaded)
    package static let frameTooLarge = RPCError(.frameTooLarge)

    /// The stable code of an application error, such as "NOT_FOUND"; nil for other errors.
    package var applicationCode: String? { detail?.code }

    /// The raw JSON object of an application error's `data.details`; nil if there is none.
    package var details: ByteBuffer? { detail?.details }

    /// Number of seconds after which a retry may succeed, according to an application error; nil if unknown.
    package var retryAfterSeconds: Int? { detail?.retryAfterSeconds }

    private var detail: RPCErrorDetail? {
        guard case .remote(_, _, let detail) = kind else { return nil }
        return detail
    }
}

extension RPCError: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .connectionLost: "connection lost"
        case .notConnected: "not connected"
        case .deadlineExceeded: "deadline exceeded"
        case .cancelled: "cancelled"
        case .overloaded: "overloaded"
        case .frameTooLarge: "frame too large"
        case .protocolViolation(let reason): "protocol violation: \(reason)"
        case .remote(let code, let message, let data): "remote error \(data?.code ?? String(code)): \(message)"
        }
    }
}

/// The `data` of an application error: `{"code":"NOT_FOUND","details":{…},"retryAfterSeconds":5}` (Services/README.md "JSON-RPC").
package struct RPCErrorDetail: Equatable, Sendable {
    /// The stable code, by which callers identify the error.
    package var code: String
    /// Details as a raw JSON object; nil if there are none.
    package var details: ByteBuffer?
    /// Number of seconds after which a retry may succeed; nil if unknown.
    package var retryAfterSeconds: Int?

    package init(code: String, details: ByteBuffer? = nil, retryAfterSeconds: Int? = nil) {
        self.code = code
        self.details = details
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Thrown by a handler to answer with an error that its callers identify by code.
///
/// Becomes `{"code":-32000,"message":…,"data":{"code":"NOT_FOUND","details":{…},"retryAfterSeconds":…}}`.
package struct RPCApplicationError: Error, Equatable, Sendable {
    /// A human-readable message.
    package var message: String
    /// The stable code and its details.
    package var detail: RPCErrorDetail

    /// - Parameters:
    ///   - code: The stable code, such as "NOT_FOUND".
    ///   - message: A human-readable message.
    ///   - details: A raw JSON object.
    ///   - retryAfterSeconds: Number of seconds after which a retry may succeed.
    package init(code: String, message: String, details: ByteBuffer? = nil, retryAfterSeconds: Int? = nil) {
        self.message = message
        detail = RPCErrorDetail(code: code, details: details, retryAfterSeconds: retryAfterSeconds)
    }
}
