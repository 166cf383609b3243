/// Successive entries of a `TailHub`.
package struct TailBatch: Sendable {
    /// The number of the first entry.
    package var first: Int
    /// Oldest first.
    package var entries: [TailEntry]
    /// How many entries before the first one were asked for and are gone.
    package var missed: Int

    /// The number to go on after.
    package var last: Int { first + entries.count - 1 }
}
