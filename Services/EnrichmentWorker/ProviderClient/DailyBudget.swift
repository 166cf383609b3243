package import Foundation

/// The daily limit on requests to a provider, and how many of them have been made. The day ends at midnight Pacific time, when Google's quotas are
/// reset.
package struct DailyBudget: Sendable {
    let limit: Int
    private var usage: DailyUsage?

    /// - Parameters:
    ///   - limit: Requests per day, above zero.
    ///   - usage: The last stored usage, from before a restart or from another process; nil if there is none.
    package init(limit: Int, usage: DailyUsage? = nil) {
        self.limit = limit
        self.usage = usage
    }

    /// Requests left on the day that contains `date`.
    package func left(at date: Date) -> Int {
        max(0, limit - usage(at: date).used)
    }

    /// The usage on the day that contains `date`.
    package func usage(at date: Date) -> DailyUsage {
        let day = Self.day(of: date)
        return usage.flatMap { $0.day == day ? $0 : nil } ?? DailyUsage(day: day, used: 0)
    }

    /// Counts a request; false if none is left.
    package mutating func take(at date: Date) -> Bool {
        var today = usage(at: date)
        guard today.used < limit else { return false }
        today.used += 1
        usage = today
        return true
    }

    /// Removes a request from the count of `day`.
    package mutating func giveBack(day: String) {
        guard let usage, usage.day == day, usage.used > 0 else { return }
        self.usage = DailyUsage(day: day, used: usage.used - 1)
    }

    /// Adopts a count reported for the same day or a later one.
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
        // Machines without a time zone database use standard time, so the reset is an hour late in summer, but never early.
        calendar.timeZone = TimeZone(identifier: "America/Los_Angeles") ?? TimeZone(secondsFromGMT: -8 * 3600) ?? .gmt
        return calendar
    }()
}

/// How clients share a daily budget: within an hour, each client may use at most as many requests as it leaves for the others.
///
/// Of 1 000 requests, a single client may use 500 immediately and half of the rest in each following hour; two concurrent clients receive about 333
/// each, and ten receive about 91 each. In the course of a day, a single client can still use nearly the whole budget. Fixed shares would require the
/// day's number of clients, which is not known in advance.
///
/// Each process keeps the shares of its own clients, in memory only: a restart resets them, but not the stored total of the day.
struct ClientShares: Sendable {
    private struct Use: Sendable {
        var count: Int
        let since: MonotonicInstant
    }

    /// Time from a client's first request until its usage is reset.
    private static let window = Duration.seconds(3_600)
    /// Maximum number of remembered clients; beyond this, the client with the lowest usage is dropped.
    private static let capacity = 4_096

    private var uses: [String: Use] = [:]

    /// Number of requests that a client has used within its hour.
    func used(by client: String, now: MonotonicInstant) -> Int { current(client, now)?.count ?? 0 }

    /// How long a client must wait for its next request if `left` requests are left for the day; nil if it need not wait.
    func wait(of client: String, left: Int, now: MonotonicInstant) -> Duration? {
        guard let use = current(client, now), use.count >= left else { return nil }
        return now.duration(to: use.since.advanced(by: Self.window))
    }

    /// Counts a request.
    mutating func take(_ client: String, now: MonotonicInstant) {
        guard let use = current(client, now) else {
            makeRoom(now)
            uses[client] = Use(count: 1, since: now)
            return
        }
        uses[client] = Use(count: use.count + 1, since: use.since)
    }

    /// Removes a request from the client's count.
    mutating func giveBack(_ client: String) {
        if let use = uses[client], use.count > 0 { uses[client]?.count -= 1 }
    }

    private func current(_ client: String, _ now: MonotonicInstant) -> Use? {
        uses[client].flatMap { $0.since.advanced(by: Self.window) > now ? $0 : nil }
    }

    private mutating func makeRoom(_ now: MonotonicInstant) {
        guard uses.count >= Self.capacity else { return }
        uses = uses.filter { $0.value.since.advanced(by: Self.window) > now }
        guard uses.count >= Self.capacity, let least = uses.min(by: { $0.value.count < $1.value.count }) else { return }
        uses[least.key] = nil
    }
}

/// Requests made to a provider on one day.
package struct DailyUsage: Hashable, Sendable {
    /// The day in Pacific time, as `YYYY-MM-DD`.
    package var day: String
    /// Number of requests made on that day.
    package var used: Int

    package init(day: String, used: Int) {
        self.day = day
        self.used = used
    }
}
