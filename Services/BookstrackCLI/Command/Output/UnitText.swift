import BookstrackContract
import Foundation

/// Sizes for users.
enum ByteCount {
    private static let units = ["KiB", "MiB", "GiB", "TiB"]

    /// A size in the largest suitable unit. Numbers below ten have one decimal place, except for bytes.
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1_024 else { return "\(bytes) B" }
        var tenths = bytes * 10 / 1_024
        var unit = 0
        while tenths >= 10_240, unit < units.count - 1 {
            tenths /= 1_024
            unit += 1
        }
        return (tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)") + " \(units[unit])"
    }
}

/// A number with its noun, for example "1 book" and "2 books".
enum CountText {
    /// - Parameter noun: In the singular; its plural must be formed by adding "s".
    static func text(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

/// Durations for users, in their largest one or two units.
enum TimeSpanText {
    private static let units: [(name: String, seconds: Int)] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]

    /// A duration in words, for example "2 h 5 min" or "12 s". A negative duration, which occurs when clocks differ, is shown as zero.
    static func text(milliseconds: Int64) -> String {
        let (head, largest, rest) = parts(milliseconds)
        guard largest + 1 < units.count, rest >= units[largest + 1].seconds else { return head }
        return head + " \(rest / units[largest + 1].seconds) \(units[largest + 1].name)"
    }

    /// Only the largest unit, for table columns: "2 h".
    static func roughly(milliseconds: Int64) -> String { parts(milliseconds).head }

    /// The largest unit with its count, its index among the units, and the remaining seconds.
    private static func parts(_ milliseconds: Int64) -> (head: String, unit: Int, rest: Int) {
        let seconds = max(0, Int(milliseconds / 1_000))
        let largest = units.firstIndex { seconds >= $0.seconds } ?? units.count - 1
        let (count, rest) = seconds.quotientAndRemainder(dividingBy: units[largest].seconds)
        return ("\(count) \(units[largest].name)", largest, rest)
    }
}

/// A duration in at most seven columns. A negative duration, which only a faulty service sends, is shown as zero.
enum DurationText {
    /// The largest number of hours that fits.
    private static let maxHours = 99_999.0

    static func of(milliseconds: Double) -> String {
        let milliseconds = max(0, milliseconds)
        return switch milliseconds {
        case ..<1: String(format: "%.2f ms", milliseconds)
        case ..<10: String(format: "%.1f ms", milliseconds)
        case ..<999.5: String(format: "%.0f ms", milliseconds)
        case ..<59_995: String(format: "%.2f s", milliseconds / 1_000)
        case ..<3_599_500: String(format: "%.0f s", milliseconds / 1_000)
        case ..<3_599_820_000: String(format: "%.1f h", milliseconds / 3_600_000)
        default: String(format: "%.0f h", min(maxHours, milliseconds / 3_600_000))
        }
    }
}

/// Times in the local time zone.
struct LocalTime {
    var zone = TimeZone.current

    /// The time of day, such as "14:03:59.042", from milliseconds since 1970.
    func clock(_ milliseconds: Int64) -> String { String(text(milliseconds).dropFirst(11).dropLast()) }

    /// The date, such as "2026-11-21", from milliseconds since 1970.
    func day(_ milliseconds: Int64) -> String { String(text(milliseconds).prefix(10)) }

    private func text(_ milliseconds: Int64) -> String {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
        // The number comes from a service and may be out of range.
        let (local, overflows) = milliseconds.addingReportingOverflow(Int64(offset) * 1_000)
        return ISO8601Milliseconds.string(fromMilliseconds: overflows ? milliseconds : local)
    }
}

/// Years for users.
enum YearText {
    /// A year; negative years are BCE.
    static func text(_ year: Int) -> String { year < 0 ? "\(year.magnitude) BCE" : "\(year)" }
}

/// Arithmetic for numbers from a server, which may be out of range.
extension Int {
    /// The nearest integer: a limit of `Int` if the value is beyond it, and 0 if the value is not a number.
    init(nearest value: Double) {
        self = Int(exactly: value.rounded()) ?? (value.isNaN ? 0 : value > 0 ? Int.max : Int.min)
    }

    /// The sum, or a limit of `Int` if the sum is beyond it.
    func addingClamped(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        guard overflows else { return sum }
        return other > 0 ? .max : .min
    }
}
