package import BookstrackContract

extension ReadinessReport {
    /// The report in one line for people: "ready", or what is wrong and why.
    package var summary: String {
        let troubles = (dependencies ?? []).filter { $0.status != .ready }.map { "\($0.name): \($0.reason)" }
        return troubles.isEmpty ? status.rawValue : "\(status.rawValue) (\(troubles.joined(separator: "; ")))"
    }
}
