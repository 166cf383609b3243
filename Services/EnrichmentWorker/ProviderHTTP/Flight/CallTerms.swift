/// How urgent a call is.
package struct CallTerms: Hashable, Sendable {
    /// Its place among those who wait for the provider.
    package var priority: CallPriority
    /// When its answer is of no use any more.
    package var deadline: MonotonicInstant

    package init(priority: CallPriority, deadline: MonotonicInstant) {
        self.priority = priority
        self.deadline = deadline
    }

    /// Whether a call on these terms serves one on `other`: it is as urgent, and over before the other's deadline.
    package func serves(_ other: CallTerms) -> Bool {
        priority >= other.priority && deadline <= other.deadline
    }
}
