import Logging
import NIOCore
import Observability

/// Why a connection is not taken.
enum ConnectionRefusal: String, MetricLabel {
    /// There are too many in all.
    case total
    /// There are too many of its address.
    case address
    /// The process may not open more descriptors.
    case descriptors

    static let labelName = "reason"

    /// For the log.
    fileprivate var sentence: Logger.Message {
        switch self {
        case .total: "too many connections are open; more are refused"
        case .address: "one address has too many connections; more are refused"
        case .descriptors: "no file descriptors are left; accepting pauses"
        }
    }

    /// What the client is told, without a parser, a pipeline or an allocation for it.
    var answer: StaticString {
        switch self {
        case .total, .descriptors:
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        case .address:
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        }
    }
}

/// Counts connections that are not taken, and says so in the log, at most once in an interval: refusing has to stay cheap. It belongs to
/// the event loop of one listener.
final class ConnectionRefusals {
    static let interval = TimeAmount.seconds(10)

    private let counter: Labelled<ConnectionRefusal, Counter>
    private let logger: Logger
    private var nextLine = NIODeadline.uptimeNanoseconds(0)
    /// Since the last line.
    private var count = 0

    init(counter: Labelled<ConnectionRefusal, Counter>, logger: Logger) {
        self.counter = counter
        self.logger = logger
    }

    /// - Parameter peer: Whose connection it was, as far as it was accepted.
    func note(_ refusal: ConnectionRefusal, of peer: SocketAddress?, at now: NIODeadline) {
        counter[refusal].add()
        count += 1
        guard now >= nextLine else { return }
        nextLine = now + Self.interval
        var metadata: Logger.Metadata = ["reason": "\(refusal.rawValue)", "refused": "\(count)"]
        if let address = ClientAddress(peer).text { metadata["address"] = "\(address)" }
        logger.warning("\(refusal.sentence)", metadata: metadata)
        count = 0
    }
}
