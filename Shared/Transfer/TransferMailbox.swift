internal import NIOConcurrencyHelpers

/// Messages from calling tasks to the engine's thread. Safe to use from any thread.
struct TransferMailbox: Sendable {
    /// All messages that have arrived since the thread last collected them.
    struct Mail: Sendable {
        var submissions: [TransferSubmission] = []
        var cancellations: [UInt64] = []
        var stops = false
    }

    private struct State: Sendable {
        var mail = Mail()
        var nextID: UInt64 = 0
        /// Number of submissions without an outcome.
        var open = 0
        /// The handle to wake; nil once the thread has freed it.
        var multi: MultiHandle?
        var waitsForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let state: NIOLockedValueBox<State>
    private let capacity: Int

    init(multi: MultiHandle, limits: TransferLimits) {
        capacity = limits.concurrent + limits.queued
        state = NIOLockedValueBox(State(multi: multi))
    }

    func newID() -> UInt64 {
        state.withLockedValue { state in
            state.nextID += 1
            return state.nextID
        }
    }

    /// Adds a submission; returns the error if it is refused.
    func submit(_ submission: TransferSubmission) -> TransferError? {
        state.withLockedValue { state in
            guard let multi = state.multi, !state.mail.stops else { return .stopped }
            guard state.open < capacity else { return .saturated }
            state.open += 1
            state.mail.submissions.append(submission)
            // The thread takes all messages at once, so only the first one has to wake it.
            if state.mail.submissions.count == 1 { multi.wakeUp() }
            return nil
        }
    }

    func cancel(_ id: UInt64) {
        state.withLockedValue { state in
            guard let multi = state.multi else { return }
            state.mail.cancellations.append(id)
            if state.mail.cancellations.count == 1 { multi.wakeUp() }
        }
    }

    func stop() {
        state.withLockedValue { state in
            state.mail.stops = true
            state.multi?.wakeUp()
        }
    }

    /// Returns when the thread has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLockedValue { state in
                guard state.multi != nil else { return true }
                state.waitsForEnd.append(continuation)
                return false
            }
            if hasEnded { continuation.resume() }
        }
    }

    // MARK: Engine's thread

    func collect() -> Mail {
        state.withLockedValue { state in
            defer { state.mail = Mail(stops: state.mail.stops) }
            return state.mail
        }
    }

    func answered() {
        state.withLockedValue { $0.open -= 1 }
    }

    /// Frees the handle while no thread can wake it, then resumes the tasks that are waiting for the thread to end.
    func end() {
        let waiting = state.withLockedValue { state in
            state.multi?.free()
            state.multi = nil
            defer { state.waitsForEnd = [] }
            return state.waitsForEnd
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// A request on its way from the calling task to the engine's thread.
struct TransferSubmission: Sendable {
    typealias Outcome = Result<TransferResponse, TransferError>

    /// Identifies the transfer for cancellation.
    let id: UInt64
    let request: TransferRequest
    let caller: CheckedContinuation<Outcome, Never>
    let submitted: ContinuousClock.Instant

    /// When the transfer stops waiting to be started.
    var queueDeadline: ContinuousClock.Instant {
        request.deadline ?? submitted.advanced(by: request.timeouts.total)
    }
}
