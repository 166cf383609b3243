package import Foundation

/// How many requests a provider allows on one of its days. The day ends at midnight Pacific time, when Google's quotas reset.
package struct DailyBudget: Sendable {
    let limit: Int
    private var usage: DailyUsage?

    /// - Parameters:
    ///   - limit: requests a day, above zero.
    ///   - usage: what was saved before a restart.
    package init(limit: Int, usage: DailyUsage? = nil) {
        self.limit = limit
        self.usage = usage
    }

    /// Requests left on the day of `date`.
    package func left(at date: Date) -> Int {
        max(0, limit - usage(at: date).used)
    }

    /// The usage on the day of `date`.
    package func usage(at date: Date) -> DailyUsage {
        let day = Self.day(of: date)
        return usage.flatMap { $0.day == day ? $0 : nil } ?? DailyUsage(day: day, used: 0)
    }

    /// Counts a request; false when none is left.
    package mutating func take(at date: Date) -> Bool {
        var today = usage(at: date)
        guard today.used < limit else { return false }
        today.used += 1
        usage = today
        return true
    }

    /// Gives back a request that was counted on `day` and not made.
    package mutating func giveBack(day: String) {
        guard let usage, usage.day == day, usage.used > 0 else { return }
        self.usage = DailyUsage(day: day, used: usage.used - 1)
    }

    /// Takes over a count of the same day or a later one.
    mutating func note(_ usage: DailyUsage) {
        if usage.day >= self.usage?.day ?? usage.day { self.usage = usage }
    }

    /// The time from `date` to the next midnight Pacific.
    package static func timeToReset(from date: Date) -> Duration {
        let start = calendar.startOfDay(for: date)
        let end = calendar.date(byAdding: .day, value: 1, to: start) ?? start.addingTimeInterval(86_400)
        return .seconds(end.timeIntervalSince(date))
    }

    private static func day(of date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return [(parts.year, 4), (parts.month, 2), (parts.day, 2)].map { value, width in
            let text = String(value ?? 0)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }.joined(separator: "-")
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        // Machines without a time zone database get standard time: an hour late in summer, never early.
        calendar.timeZone = TimeZone(identifier: "America/Los_Angeles") ?? TimeZone(secondsFromGMT: -8 * 3600) ?? .gmt
        return calendar
    }()
}
