import BookstrackContract
import Foundation
import JSONRPC
import NIOCore
import NIOHTTP1

extension APIFailure {
    /// The one place where anything thrown becomes an answer. Nil when the client left, so that an answer would not be read.
    init?(answering error: any Error) {
        switch error {
        case let failure as APIFailure: self = failure
        case let fault as JSONFault: self.init(fault)
        case let error as RPCError: self.init(error)
        case is HTTPParserError: self = .malformedHTTP("the body does not match its framing headers")
        case is CancellationError, is ChannelError: return nil
        default: self = .internalError
        }
    }

    /// Application codes map one to one; the connection's own faults mean that the host is away (Services/README.md "JSON-RPC").
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
