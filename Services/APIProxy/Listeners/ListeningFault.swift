import Glibc
import NIOCore

/// Why an address can never be listened at, which makes it a wrong setting. One that is taken, or that no interface has yet, may be free
/// or there at the next start, as may a name server: these are failures, after which a service manager tries again.
enum ListeningFault: Equatable {
    case unknownHost
    case notAllowed

    init?(_ error: any Error) {
        switch error {
        case is SocketAddressError: self = .unknownHost
        case let error as SocketAddressError.UnknownHost where error.errorCode != EAI_AGAIN: self = .unknownHost
        case let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM: self = .notAllowed
        default: return nil
        }
    }

    /// In words, for the one line that stops the start.
    var reason: String {
        switch self {
        case .unknownHost: "the host is not known"
        case .notAllowed: "this user may not listen there"
        }
    }
}
