import BookstrackContract

/// A step that the engine itself decided on and that must be synced (jobs.md "Durability").
enum DurableStep: Equatable {
    /// Every item of the job has its outcome.
    case end(job: Int64)
    /// A client cancelled from its socket.
    case cancel(job: Int64)
    /// Tokens of live sockets move on.
    case extendTokens([Int64])

    /// Whether reading the stored state leads to the step again.
    var followsFromState: Bool {
        switch self {
        case .end, .extendTokens: true
        case .cancel: false
        }
    }
}

extension JobEngine {
    /// Runs the step that ends `job` in the next group, once.
    func scheduleEnd(_ job: ActiveJob) {
        guard !job.isEnding else { return }
        job.isEnding = true
        durableSteps.append(.end(job: job.row.number))
    }

    /// Takes the steps that wait.
    func takeSteps() -> [DurableStep] {
        defer { durableSteps = [] }
        return durableSteps
    }

    func perform(_ step: DurableStep, _ turn: Turn) throws {
        switch step {
        case .end(let number): try end(number, turn)
        case .cancel(let number): try cancelFromSocket(number, turn)
        case .extendTokens(let numbers): try extendTokens(numbers, turn)
        }
    }
}
