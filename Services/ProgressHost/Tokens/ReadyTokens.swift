/// Tokens whose clients were ready for the first time, on their way to the database: readiness is noted while storage refuses, too.
struct ReadyTokens {
    private var waiting: Set<Int64> = []
    /// Those that this turn has written; no longer waiting when it is committed.
    private var written: Set<Int64> = []

    func contains(_ token: Int64) -> Bool { waiting.contains(token) }

    mutating func add(_ token: Int64) { waiting.insert(token) }

    /// Hands out what is to be written.
    mutating func write() -> Set<Int64> {
        written = waiting
        return waiting
    }

    /// What the turn has written is stored.
    mutating func keepChanges() {
        guard !written.isEmpty else { return }
        waiting.subtract(written)
        written = []
    }

    /// What the turn has written is not stored.
    mutating func undoChanges() { written = [] }
}
