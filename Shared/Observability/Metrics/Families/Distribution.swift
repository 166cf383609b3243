/// A histogram at one moment.
package struct Distribution: Sendable, Codable, Hashable {
    /// Values in each range, not cumulative; the last range is the one above the highest bound.
    package let counts: [UInt64]
    /// The sum of all values, in the unit that the family's name says.
    package let sum: Double

    /// How many values there are.
    package var count: UInt64 { counts.reduce(0, +) }
}
