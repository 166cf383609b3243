/// The host's refusals of claims, of which the log tells how they begin and end: on a full disk there is one every second.
struct ClaimRefusals: Sendable {
    /// Why the last claim was refused; nil when it was not.
    private var reason: String?

    /// Notes a refusal; true when it is the first one, or has another reason than the last.
    mutating func note(_ reason: String) -> Bool {
        defer { self.reason = reason }
        return self.reason != reason
    }

    /// Notes that the host handed out items; true when it had refused before.
    mutating func end() -> Bool {
        defer { reason = nil }
        return reason != nil
    }
}
