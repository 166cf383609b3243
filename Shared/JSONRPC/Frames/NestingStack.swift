/// The open brackets around a position, one bit each: deep input costs 64 bytes and no recursion.
struct NestingStack {
    /// How many brackets may be open at once; Foundation's parser draws the line at the same depth.
    static let limit = 512

    private var objects = InlineArray<8, UInt64>(repeating: 0)
    private(set) var depth = 0

    /// Opens a bracket; false at the limit.
    @inline(__always)
    mutating func push(isObject: Bool) -> Bool {
        guard depth < Self.limit else { return false }
        let bit: UInt64 = 1 << UInt64(depth & 63)
        if isObject { objects[depth >> 6] |= bit } else { objects[depth >> 6] &= ~bit }
        depth += 1
        return true
    }

    /// Closes the innermost bracket.
    @inline(__always)
    mutating func pop() { depth -= 1 }

    /// Whether the innermost open bracket is an object's; false when none is open.
    @inline(__always)
    var isInObject: Bool {
        guard depth > 0 else { return false }
        return objects[(depth - 1) >> 6] & (1 << UInt64((depth - 1) & 63)) != 0
    }
}
