/// Requests made to a provider on one of its days.
package struct DailyUsage: Hashable, Sendable {
    /// The day in the provider's time zone, as `YYYY-MM-DD`.
    package var day: String
    /// Requests made on that day.
    package var used: Int

    package init(day: String, used: Int) {
        self.day = day
        self.used = used
    }
}
