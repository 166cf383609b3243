import BookstrackContract
import Foundation

/// Times in names of files: UTC, sortable, without characters that a shell minds.
enum TimeStamp {
    /// For example "20251115T200000.000Z".
    static func text(_ time: Date) -> String {
        ISO8601Milliseconds.string(fromMilliseconds: Int64(time.timeIntervalSince1970 * 1_000))
            .filter { $0 != "-" && $0 != ":" }
    }
}
