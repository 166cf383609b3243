import Foundation

/// How long something took, in at most seven columns.
enum DurationText {
    static func of(milliseconds: Double) -> String {
        switch milliseconds {
        case ..<1: String(format: "%.2f ms", milliseconds)
        case ..<10: String(format: "%.1f ms", milliseconds)
        case ..<999.5: String(format: "%.0f ms", milliseconds)
        case ..<59_995: String(format: "%.2f s", milliseconds / 1_000)
        case ..<3_599_500: String(format: "%.0f s", milliseconds / 1_000)
        default: String(format: "%.1f h", milliseconds / 3_600_000)
        }
    }
}
