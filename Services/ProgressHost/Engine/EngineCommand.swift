import Observability

/// Something the engine is asked to do.
struct EngineCommand: Sendable {
    /// Its group is synced.
    var durable: Bool
    /// It is refused while storage refuses.
    var writes: Bool
    /// Roughly what it holds in memory, in bytes.
    var bytes = 0
    /// It is taken even when the mailbox is full, because it could not be sent again.
    var isFact = false
    /// What it is part of: the call that asked for it.
    let activity = Activity.current
    /// Runs inside the group's transaction. May run again when the transaction failed, unless it writes.
    var run: @Sendable (JobEngine, Turn) throws -> Void
    /// Called instead when nothing of it happened.
    var refuse: @Sendable (HostFailure) -> Void
}
