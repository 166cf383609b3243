import SuiteStorage

/// An index of the events that are stored with a job's items (``StoredEvent``), by `seq`. It is kept in memory because SQLite would have to read
/// every item of the job to find them.
struct OutcomeEvents: Sendable {
    /// An event, and the item with which it is stored.
    struct Entry: Sendable, Equatable {
        var seq: Int
        /// The item's index in the job.
        var index: Int
    }

    /// The events that may still be replayed.
    private var entries: [Entry]
    /// The newest event, even if it can no longer be replayed.
    private(set) var newest: Entry?

    /// - Parameters:
    ///   - all: The events in any order.
    ///   - seq: Only later events are replayed.
    init(_ all: [Entry] = [], replayedAfter seq: Int = 0) {
        entries = all.filter { $0.seq > seq }.sorted { $0.seq < $1.seq }
        newest = all.max { $0.seq < $1.seq }
    }

    /// Number of events that may still be replayed.
    var count: Int { entries.count }

    /// Adds an event that is newer than all others.
    mutating func add(seq: Int, index: Int) {
        let entry = Entry(seq: seq, index: index)
        entries.append(entry)
        newest = entry
    }

    /// Forgets the events up to `seq`, which are no longer replayed.
    mutating func drop(through seq: Int) { entries.removeFirst(count(through: seq)) }

    /// The first events after `seq`, at most `limit`.
    func after(_ seq: Int, limit: Int) -> ArraySlice<Entry> { entries[count(through: seq)...].prefix(limit) }

    /// Number of events up to `seq`, by binary search.
    private func count(through seq: Int) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].seq <= seq { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
