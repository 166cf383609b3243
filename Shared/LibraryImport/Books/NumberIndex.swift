/// A dictionary from 64-bit keys to non-negative 32-bit values. For tens of thousands of rows, it is several times faster than the standard
/// library's.
///
/// Slots are found by linear probing. Their order depends on a per-process seed, so no file can be crafted to cause collisions.
struct NumberIndex {
    private static let seed = UInt64.random(in: .min ... .max)
    private static let free: Int32 = -1

    private var keys = [UInt64](repeating: 0, count: 1_024)
    private var values = [Int32](repeating: Self.free, count: 1_024)
    private var count = 0

    /// The value of a key; nil if it has none.
    subscript(key: UInt64) -> Int32? {
        let value = values[place(of: key)]
        return value == Self.free ? nil : value
    }

    mutating func set(_ value: Int32, forKey key: UInt64) {
        let place = place(of: key)
        let isNew = values[place] == Self.free
        (keys[place], values[place]) = (key, value)
        guard isNew else { return }
        count += 1
        if 2 * count > keys.count { grow() }
    }

    /// The slot of a key, or the free slot for it.
    private func place(of key: UInt64) -> Int {
        var mixed = (key ^ Self.seed) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 32) &* 0xD6E8_FEB8_6659_FD93
        var place = Int(truncatingIfNeeded: mixed ^ mixed >> 32) & (keys.count - 1)
        while values[place] != Self.free, keys[place] != key { place = (place + 1) & (keys.count - 1) }
        return place
    }

    private mutating func grow() {
        let (oldKeys, oldValues) = (keys, values)
        keys = [UInt64](repeating: 0, count: 2 * oldKeys.count)
        values = [Int32](repeating: Self.free, count: 2 * oldKeys.count)
        for (key, value) in zip(oldKeys, oldValues) where value != Self.free {
            let place = place(of: key)
            (keys[place], values[place]) = (key, value)
        }
    }
}
