import BookstrackContract
import Foundation
import Observability

/// Times in names of files: UTC, sortable, without characters that a shell minds.
enum TimeStamp {
    /// For example "20251115T200000.000Z".
    static func text(_ time: Date) -> String {
        ISO8601Milliseconds.string(fromMilliseconds: time.millisecondsSince1970)
            .filter { $0 != "-" && $0 != ":" }
    }
}
