import NIOCore
import Observability

/// The peer's requests that have not ended: their handlers are running or waiting to be started.
struct InboundRequests {
    /// Identifies a request locally, because the peer may reuse ids.
    typealias Serial = UInt64

    struct Request {
        /// The request's id; nil for a notification that is handled by a request's handler.
        let id: RPCID?
        let call: InboundCall
        let deadline: NIODeadline
        let isPaced: Bool
        var task: Task<Void, Never>?
        var hasExpired = false
        var isCancelled = false
    }

    private let maximum: Int
    private var requests: [Serial: Request] = [:]
    private var serials: [RPCID: Serial] = [:]
    private var lastSerial: Serial = 0

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Whether the next request must wait until another one ends.
    var isFull: Bool { requests.count >= maximum }
    var count: Int { requests.count }

    /// The earliest deadline of the requests that have not expired; nil if there are none.
    var earliestDeadline: NIODeadline? {
        requests.values.lazy.filter { !$0.hasExpired }.map(\.deadline).min()
    }

    /// Adds a request; nil if its id is still in use.
    mutating func begin(
        _ id: RPCID?, _ call: InboundCall, deadline: NIODeadline, isPaced: Bool = false
    ) -> Serial? {
        if let id, serials[id] != nil { return nil }
        lastSerial += 1
        requests[lastSerial] = Request(id: id, call: call, deadline: deadline, isPaced: isPaced)
        if let id { serials[id] = lastSerial }
        return lastSerial
    }

    /// Stores the task to which a cancellation applies; does nothing if the request has ended.
    mutating func attach(_ task: Task<Void, Never>, to serial: Serial) {
        requests[serial]?.task = task
    }

    /// Removes a request; nil if it has already ended.
    mutating func end(_ serial: Serial) -> Request? {
        guard let request = requests.removeValue(forKey: serial) else { return nil }
        if let id = request.id { serials[id] = nil }
        return request
    }

    /// Marks a request as cancelled by the peer; `isKnown` is false if there is no such request, for example because it has ended.
    mutating func cancel(_ id: RPCID) -> (isKnown: Bool, task: Task<Void, Never>?) {
        guard let serial = serials[id] else { return (false, nil) }
        requests[serial]?.isCancelled = true
        return (true, requests[serial]?.task)
    }

    /// Whether the peer awaits a response: false once the request has ended, was cancelled or has reached its deadline.
    func isAwaited(_ serial: Serial, at now: NIODeadline) -> Bool {
        guard let request = requests[serial] else { return false }
        return !request.isCancelled && now < request.deadline
    }

    /// Marks the requests whose deadline has passed, and returns their tasks. Expired requests count toward the limit until their handlers end,
    /// because they still use memory.
    mutating func expire(at now: NIODeadline) -> [Task<Void, Never>] {
        requests.filter { !$0.value.hasExpired && $0.value.deadline <= now }.compactMap { serial, request in
            requests[serial]?.hasExpired = true
            return request.task
        }
    }

    mutating func removeAll() -> [Request] {
        defer {
            requests = [:]
            serials = [:]
        }
        return Array(requests.values)
    }
}

/// What observers and log lines report about a peer's request.
struct InboundCall: Sendable {
    let method: String
    let activity: Activity
}

/// The peer's requests with large responses (`RPCRouter.handlePaced`).
///
/// A request is started only while few bytes are waiting for the peer. A peer that does not read therefore costs little memory, and small messages
/// do not wait behind megabytes of these responses.
struct PacedRequests {
    /// A request and how its handler is started.
    struct Request: Sendable {
        let serial: InboundRequests.Serial
        /// The usual length of the response in bytes.
        let answerBytes: Int
        let start: @Sendable () -> Void
    }

    enum Admission: Equatable {
        /// The caller starts the request now.
        case starts
        /// `next(buffered:)` returns the request when it can be started.
        case waits
        /// Too many requests are waiting.
        case refused
    }

    private let maximumBytes: Int
    private let maximumWaiting: Int
    private var waiting = CircularBuffer<Request>()
    /// The usual length of each response in preparation, in bytes; `reservedBytes` is their total.
    private var reservations: [InboundRequests.Serial: Int] = [:]
    private var reservedBytes = 0

    init(_ limits: RPCLimits) {
        maximumBytes = limits.maximumPacedBytes
        maximumWaiting = limits.maximumPacedRequests
    }

    /// Whether no request is waiting to be started.
    var isEmpty: Bool { waiting.isEmpty }

    /// Decides whether a new request starts now, waits or is refused. Waiting requests start in order of arrival.
    ///
    /// - Parameter buffered: Bytes waiting to be written to the peer.
    mutating func admit(_ request: Request, buffered: Int) -> Admission {
        if waiting.isEmpty, hasRoom(buffered) {
            reserve(request)
            return .starts
        }
        guard waiting.count < maximumWaiting else { return .refused }
        waiting.append(request)
        return .waits
    }

    /// Returns the next request if it can be started now; otherwise nil.
    mutating func next(buffered: Int) -> Request? {
        guard hasRoom(buffered), let request = waiting.popFirst() else { return nil }
        reserve(request)
        return request
    }

    /// Ends a request whose response has been queued or that has none.
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
