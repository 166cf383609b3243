/// Counts requests over the last period, in ten slots and the one that is being filled. 48 bytes.
///
/// All eleven count in full. Any stretch of one period touches at most eleven slots, so no such stretch, wherever it begins, holds more
/// requests than the limit: nothing doubles at an edge, as it would with a fixed window, with two weighted windows, or with a token
/// bucket as large as the limit. The price is that room comes back up to a tenth of the period late.
struct SlidingWindow: Sendable {
    private static let fullSlots: Int32 = 10

    private var counts = InlineArray<11, UInt32>(repeating: 0)
    /// Number of the slot that is being filled, since the clock's start.
    private var newest: Int32 = 0

    /// Requests that count now; `advance` comes first.
    var total: Int { counts.indices.reduce(0) { $0 + Int(counts[$1]) } }

    /// Forgets what has left the window. A time before an earlier one changes nothing.
    mutating func advance(to milliseconds: Int64, _ period: RateLimit.Period) {
        let slot = Int32(truncatingIfNeeded: milliseconds / Self.slotLength(period))
        guard slot > newest else { return }
        if slot - newest > Self.fullSlots {
            counts = InlineArray(repeating: 0)
        } else {
            for passed in (newest + 1)...slot { counts[Self.place(passed)] = 0 }
        }
        newest = slot
    }

    /// Counts one request in the current slot.
    mutating func add() { counts[Self.place(newest)] += 1 }

    /// When the oldest counted request leaves the window, in the clock's milliseconds; nil for an empty window.
    func nextRoom(_ period: RateLimit.Period) -> Int64? {
        let oldest = ((newest - Self.fullSlots)...newest).first { counts[Self.place($0)] > 0 }
        return oldest.map { Int64($0 + Self.fullSlots + 1) * Self.slotLength(period) }
    }

    private static func slotLength(_ period: RateLimit.Period) -> Int64 { period.milliseconds / Int64(fullSlots) }

    /// Where a slot is kept. Slots before the clock's start, which have negative numbers, have places too.
    private static func place(_ slot: Int32) -> Int { (Int(slot) + 11) % 11 }
}
