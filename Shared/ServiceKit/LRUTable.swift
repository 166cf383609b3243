/// Values by key, in the order of their last use. Finding, adding and removing a value takes constant time.
///
/// This is a doubly linked list in one array without gaps: when a value is removed, the array's last one takes its position.
///
/// Everything is inlinable, so that modules that use the table specialize it for their keys and values.
package struct LRUTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Index of a value; valid until any value is removed.
    package typealias Place = Int32

    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let key: Key
        @usableFromInline var value: Value
        /// Positions of the neighbors in the order of last use; -1 at the ends.
        @usableFromInline var newer: Place = -1
        @usableFromInline var older: Place = -1

        @inlinable
        init(key: Key, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// Maximum number of values for which memory is reserved.
    @usableFromInline let capacity: Int
    @usableFromInline var entries: [Entry] = []
    @usableFromInline var places: [Key: Place] = [:]
    @usableFromInline var newest: Place = -1
    @usableFromInline var oldest: Place = -1

    /// - Parameter capacity: Maximum number of values that the caller stores.
    @inlinable
    package init(capacity: Int = .max) { self.capacity = capacity }

    @inlinable package var count: Int { entries.count }

    /// Estimated size of the entries and the index in bytes, without memory that keys and values refer to.
    @inlinable package var bytes: Int {
        entries.capacity * MemoryLayout<Entry>.stride
            + places.capacity * (MemoryLayout<Key>.stride + MemoryLayout<Place>.stride)
    }

    /// Position of the least recently used value; nil if the table is empty.
    @inlinable package var leastRecent: Place? { oldest >= 0 ? oldest : nil }

    @inlinable
    package subscript(place: Place) -> Value { entries[Int(place)].value }

    /// Finds a value and marks it as the most recently used; nil if there is none.
    @inlinable
    package mutating func use(_ key: Key) -> Place? {
        guard let place = places[key] else { return nil }
        if place != newest {
            unlink(place)
            linkAsNewest(place)
        }
        return place
    }

    /// Changes a value in place, without marking it as used.
    @inlinable
    package mutating func change<Outcome>(at place: Place, _ body: (inout Value) -> Outcome) -> Outcome {
        body(&entries[Int(place)].value)
    }

    /// Adds a value as the most recently used one. The key must not have a value yet.
    @inlinable
    @discardableResult
    package mutating func add(_ value: Value, for key: Key) -> Place {
        if entries.count == entries.capacity { entries.reserveCapacity(min(max(64, entries.count * 2), capacity)) }
        let place = Place(entries.count)
        entries.append(Entry(key: key, value: value))
        places[key] = place
        linkAsNewest(place)
        return place
    }

    @inlinable
    @discardableResult
    package mutating func remove(_ key: Key) -> Value? { places[key].map { remove(at: $0) } }

    @inlinable
    @discardableResult
    package mutating func remove(at place: Place) -> Value {
        unlink(place)
        let last = Place(entries.count - 1)
        if place != last { move(last, to: place) }
        let removed = entries.removeLast()
        places[removed.key] = nil
        return removed.value
    }

    @inlinable
    mutating func move(_ place: Place, to free: Place) {
        entries.swapAt(Int(place), Int(free))
        let moved = entries[Int(free)]
        places[moved.key] = free
        if moved.newer >= 0 { entries[Int(moved.newer)].older = free } else { newest = free }
        if moved.older >= 0 { entries[Int(moved.older)].newer = free } else { oldest = free }
    }

    @inlinable
    mutating func unlink(_ place: Place) {
        let (newer, older) = (entries[Int(place)].newer, entries[Int(place)].older)
        if newer >= 0 { entries[Int(newer)].older = older } else { newest = older }
        if older >= 0 { entries[Int(older)].newer = newer } else { oldest = newer }
    }

    @inlinable
    mutating func linkAsNewest(_ place: Place) {
        entries[Int(place)].newer = -1
        entries[Int(place)].older = newest
        if newest >= 0 { entries[Int(newest)].newer = place } else { oldest = place }
        newest = place
    }
}
