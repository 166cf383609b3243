import NIOCore

/// The peer's requests whose answers are large (`RPCRouter.handlePaced`).
///
/// One is started only while little waits for the peer. So what a peer does not read stays small, and small messages never wait behind
/// megabytes of answers.
struct PacedRequests {
    /// A request and how its handler is started.
    struct Request: Sendable {
        let serial: InboundRequests.Serial
        /// The usual length of its answer.
        let answerBytes: Int
        let start: @Sendable () -> Void
    }

    enum Admission: Equatable {
        /// The caller starts it now.
        case starts
        /// It is handed out by `next(buffered:)` when its turn comes.
        case waits
        /// Too many wait.
        case refused
    }

    private let maximumBytes: Int
    private let maximumWaiting: Int
    private var waiting = CircularBuffer<Request>()
    /// Lengths of the answers that are being made.
    private var reservations: [InboundRequests.Serial: Int] = [:]
    private var reservedBytes = 0

    init(_ limits: RPCLimits) {
        maximumBytes = limits.maximumPacedBytes
        maximumWaiting = limits.maximumPacedRequests
    }

    /// Whether no request waits for its turn.
    var isEmpty: Bool { waiting.isEmpty }

    /// Takes a request, in the order of arrival.
    ///
    /// - Parameter buffered: Bytes that wait to be written to the peer.
    mutating func admit(_ request: Request, buffered: Int) -> Admission {
        if waiting.isEmpty, hasRoom(buffered) {
            reserve(request)
            return .starts
        }
        guard waiting.count < maximumWaiting else { return .refused }
        waiting.append(request)
        return .waits
    }

    /// The next request that can be started.
    mutating func next(buffered: Int) -> Request? {
        guard hasRoom(buffered), let request = waiting.popFirst() else { return nil }
        reserve(request)
        return request
    }

    /// The request's answer is queued, or there is none.
    mutating func end(_ serial: InboundRequests.Serial) {
        reservedBytes -= reservations.removeValue(forKey: serial) ?? 0
    }

    mutating func removeAll() {
        waiting = []
        reservations = [:]
        reservedBytes = 0
    }

    private func hasRoom(_ buffered: Int) -> Bool { buffered + reservedBytes < maximumBytes }

    private mutating func reserve(_ request: Request) {
        reservations[request.serial] = request.answerBytes
        reservedBytes += request.answerBytes
    }
}
