import BookstrackContract
import Foundation

/// Times as the wall clock here shows them.
struct LocalTime {
    var zone = TimeZone.current

    /// "14:03:59.042", of milliseconds since 1970.
    func clock(_ milliseconds: Int64) -> String { String(text(milliseconds).dropFirst(11).dropLast()) }

    /// "2026-11-21", of milliseconds since 1970.
    func day(_ milliseconds: Int64) -> String { String(text(milliseconds).prefix(10)) }

    private func text(_ milliseconds: Int64) -> String {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
        // A service may name any number.
        let (local, overflows) = milliseconds.addingReportingOverflow(Int64(offset) * 1_000)
        return ISO8601Milliseconds.string(fromMilliseconds: overflows ? milliseconds : local)
    }
}
