/// Something the outside sees. It happens only after the transaction that caused it is committed (spec/01 rule 4).
struct Effect {
    let commit: () -> Void
    /// Tells somebody who waits, and whom nobody else tells, that the transaction failed.
    let abandon: (HostFailure) -> Void

    init(commit: @escaping () -> Void, abandon: @escaping (HostFailure) -> Void = { _ in }) {
        self.commit = commit
        self.abandon = abandon
    }
}

/// Answers a caller, once.
typealias Reply<Value> = @Sendable (Result<Value, HostFailure>) -> Void
