/// A fault that comes again with every attempt while its cause lasts, as on a full disk: the log tells how it begins and ends.
struct LastingFault: Sendable {
    /// Why the last attempt failed; nil when it did not.
    private var reason: String?

    /// Notes an attempt that failed; true when it is the first one, or failed for another reason than the last.
    mutating func note(_ reason: String) -> Bool {
        defer { self.reason = reason }
        return self.reason != reason
    }

    /// Notes an attempt that succeeded; true when the one before had failed.
    mutating func end() -> Bool {
        defer { reason = nil }
        return reason != nil
    }
}
