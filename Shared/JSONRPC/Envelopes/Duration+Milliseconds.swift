import NIOCore

extension Duration {
    /// Whole milliseconds, rounded up, at least 1 and at most what the wire's 32 bits hold.
    var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 1 }
        guard seconds < Int64(Int32.max / 1_000) else { return .max }
        return max(1, Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }

    /// The same length for an event loop's clock, which measures in 64-bit nanoseconds.
    var timeAmount: TimeAmount { .milliseconds(Int64(wholeMilliseconds)) }
}
