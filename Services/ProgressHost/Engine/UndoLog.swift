/// Remembers what entries of a table were before a turn changed them, so that a turn whose transaction failed can be undone.
struct UndoLog<Key: Hashable, Value> {
    private var before: [Key: Value?] = [:]

    /// Notes that the entry at `key`, now `value`, is about to change. Only the first change of a turn counts.
    mutating func note(_ key: Key, was value: Value?) {
        if before.index(forKey: key) == nil { before.updateValue(value, forKey: key) }
    }

    /// Ends the turn: hands out what changed entries were before it.
    mutating func take() -> [Key: Value?] {
        guard !before.isEmpty else { return before }
        defer { before = [:] }
        return before
    }
}
