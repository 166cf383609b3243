/// How urgent a call is.
package struct CallTerms: Hashable, Sendable {
    /// Its place among those who wait for the provider.
    package var priority: CallPriority
    /// When its answer is of no use any more.
    package var deadline: MonotonicInstant
    /// Whose share of a daily budget it counts against; nil where shares do not count.
    package var client: String?

    package init(priority: CallPriority, deadline: MonotonicInstant, client: String? = nil) {
        self.priority = priority
        self.deadline = deadline
        self.client = client
    }

    /// Whether a call on these terms serves one on `other`: it is as urgent, over before the other's deadline, and not
    /// refused for another client's use.
    package func serves(_ other: CallTerms) -> Bool {
        priority >= other.priority && deadline <= other.deadline && (client == nil || client == other.client)
    }
}
