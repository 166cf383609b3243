/// A fault that recurs with every attempt while its cause persists, such as a full disk. Only its beginning, its end and a change of its reason are
/// logged.
struct LogOnce: Sendable {
    /// Why the last attempt failed; nil if it succeeded.
    private var reason: String?

    /// Records a failed attempt; true if the previous attempt succeeded or failed for a different reason.
    mutating func note(_ reason: String) -> Bool {
        defer { self.reason = reason }
        return self.reason != reason
    }

    /// Records a successful attempt; true if the previous attempt had failed.
    mutating func end() -> Bool {
        defer { reason = nil }
        return reason != nil
    }
}
