import NIOCore

/// The calls of this end that wait for their answers.
struct PendingCalls {
    /// Resumes the caller.
    typealias Completion = @Sendable (Result<ByteBuffer, RPCError>) -> Void

    private struct Call {
        let deadline: NIODeadline
        let complete: Completion
    }

    private let maximum: Int
    private var calls: [Int64: Call] = [:]

    init(maximum: Int) {
        self.maximum = maximum
    }

    var isFull: Bool { calls.count >= maximum }
    var count: Int { calls.count }

    /// When the next of them gives up.
    var earliestDeadline: NIODeadline? { calls.values.lazy.map(\.deadline).min() }

    mutating func add(_ id: Int64, deadline: NIODeadline, complete: @escaping Completion) {
        calls[id] = Call(deadline: deadline, complete: complete)
    }

    /// Takes out a call that was answered or given up; nil for one that is unknown or was taken before.
    mutating func remove(_ id: Int64) -> Completion? {
        calls.removeValue(forKey: id)?.complete
    }

    /// Takes out the calls whose time is over.
    mutating func removeExpired(at now: NIODeadline) -> [(id: Int64, complete: Completion)] {
        let expired = calls.filter { $0.value.deadline <= now }
        for id in expired.keys { calls[id] = nil }
        return expired.map { ($0.key, $0.value.complete) }
    }

    mutating func removeAll() -> [Completion] {
        defer { calls = [:] }
        return calls.values.map(\.complete)
    }
}
