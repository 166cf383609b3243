/// The last entries of a process: new ones take the place of the oldest.
struct TailRing {
    private let capacity: Int
    private var entries: [TailEntry] = []
    /// The number of the newest entry; the first one has 1.
    private(set) var newest = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Adds an entry; returns the one whose place it takes, to be let go outside of any lock.
    mutating func append(_ entry: consuming TailEntry) -> TailEntry? {
        newest += 1
        guard entries.count == capacity else {
            entries.append(entry)
            return nil
        }
        swap(&entries[(newest - 1) % capacity], &entry)
        return entry
    }

    /// The entries after `number`, oldest first, at most `limit`, and how many of those after it are gone.
    func entries(after number: Int, atMost limit: Int) -> TailBatch {
        let oldest = newest - entries.count + 1
        let first = max(number + 1, oldest)
        guard first <= newest, limit > 0 else { return TailBatch(first: newest + 1, entries: [], missed: 0) }
        let last = first + min(newest - first, limit - 1)
        return TailBatch(
            first: first, entries: (first...last).map { entries[($0 - 1) % capacity] }, missed: first - number - 1)
    }
}
