import Glibc
import NIOConcurrencyHelpers

/// The time as `Date` fields write it (RFC 9110 §5.6.7), made once a second.
final class HTTPDate: Sendable {
    private struct Made {
        var second = 0
        var text = ""
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private let made = NIOLockedValueBox(Made())

    /// For an answer sent now.
    var now: String { text(second: time(nil)) }

    /// `second` counts from 1970.
    func text(second: Int) -> String {
        made.withLockedValue { made in
            if made.second != second || made.text.isEmpty {
                made = Made(second: second, text: Self.text(second: second))
            }
            return made.text
        }
    }

    /// The time of a second since 1970.
    static func text(second: Int) -> String {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1_900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
