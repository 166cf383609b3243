/// Something the outside sees. It happens only after the transaction that caused it is committed (Services/README.md rule 4).
struct Effect {
    let commit: () -> Void
    /// Tells a caller that waits, and is not told otherwise, that the transaction failed.
    let abandon: (HostFailure) -> Void

    init(commit: @escaping () -> Void, abandon: @escaping (HostFailure) -> Void = { _ in }) {
        self.commit = commit
        self.abandon = abandon
    }
}

/// Answers a caller, once.
typealias Reply<Value> = @Sendable (Result<Value, HostFailure>) -> Void
