/// Values by key, in the order of their last use. Finding, adding and removing a value takes constant time.
///
/// This is a doubly linked list in one array without gaps: the last value moves to the position of a removed one.
struct LRUTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Index of a value; valid until a value is removed.
    typealias Place = Int32

    private struct Entry: Sendable {
        let key: Key
        var value: Value
        /// Positions of the neighbors in the order of last use; -1 at the ends.
        var newer: Place = -1
        var older: Place = -1
    }

    /// Maximum number of values for which memory is reserved.
    private let capacity: Int
    private var entries: [Entry] = []
    private var places: [Key: Place] = [:]
    private var newest: Place = -1
    private var oldest: Place = -1

    /// - Parameter capacity: Maximum number of values that the caller stores.
    init(capacity: Int = .max) { self.capacity = capacity }

    var count: Int { entries.count }

    /// Bytes taken by the entries and the index.
    var bytes: Int {
        entries.capacity * MemoryLayout<Entry>.stride
            + places.capacity * (MemoryLayout<Key>.stride + MemoryLayout<Place>.stride)
    }

    /// Position of the least recently used value; nil if the table is empty.
    var leastRecent: Place? { oldest >= 0 ? oldest : nil }

    subscript(place: Place) -> Value { entries[Int(place)].value }

    /// Finds a value and marks it as the most recently used.
    mutating func use(_ key: Key) -> Place? {
        guard let place = places[key] else { return nil }
        if place != newest {
            unlink(place)
            linkAsNewest(place)
        }
        return place
    }

    /// Changes a value in place.
    mutating func change<Outcome>(at place: Place, _ body: (inout Value) -> Outcome) -> Outcome {
        body(&entries[Int(place)].value)
    }

    /// Adds a value as the most recently used one. The key must not have a value yet.
    @discardableResult
    mutating func add(_ value: Value, for key: Key) -> Place {
        if entries.count == entries.capacity { entries.reserveCapacity(min(max(64, entries.count * 2), capacity)) }
        let place = Place(entries.count)
        entries.append(Entry(key: key, value: value))
        places[key] = place
        linkAsNewest(place)
        return place
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? { places[key].map { remove(at: $0) } }

    @discardableResult
    mutating func remove(at place: Place) -> Value {
        unlink(place)
        let last = Place(entries.count - 1)
        if place != last { move(last, to: place) }
        let removed = entries.removeLast()
        places[removed.key] = nil
        return removed.value
    }

    private mutating func move(_ place: Place, to free: Place) {
        entries.swapAt(Int(place), Int(free))
        let moved = entries[Int(free)]
        places[moved.key] = free
        if moved.newer >= 0 { entries[Int(moved.newer)].older = free } else { newest = free }
        if moved.older >= 0 { entries[Int(moved.older)].newer = free } else { oldest = free }
    }

    private mutating func unlink(_ place: Place) {
        let (newer, older) = (entries[Int(place)].newer, entries[Int(place)].older)
        if newer >= 0 { entries[Int(newer)].older = older } else { newest = older }
        if older >= 0 { entries[Int(older)].newer = newer } else { oldest = newer }
    }

    private mutating func linkAsNewest(_ place: Place) {
        entries[Int(place)].newer = -1
        entries[Int(place)].older = newest
        if newest >= 0 { entries[Int(newest)].newer = place } else { oldest = place }
        newest = place
    }
}
