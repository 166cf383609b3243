import Foundation
import NIOCore
import NIOPosix

/// Why a connection could not be made, in a few words.
enum ConnectReason {
    static func text(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let single = error.connectionErrors.last { return text(single.error) }
            return "the name \(error.host) is unknown"
        case let error as IOError where error.errnoCode == ECONNREFUSED: return "connection refused"
        case let error as IOError where error.errnoCode == ECONNRESET: return "connection reset"
        case ChannelError.connectTimeout: return "no answer within 5 s"
        default: return String(describing: error)
        }
    }
}
