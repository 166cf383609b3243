package import Foundation

extension Date {
    /// Whole milliseconds since 1970, as the suite's records and messages have their times.
    package var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded(.down)) }
}
