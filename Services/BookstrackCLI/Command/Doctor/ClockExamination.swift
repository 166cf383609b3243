import Foundation

/// Checks that the wall clock can be right: tokens, budgets and expiries go by it.
struct ClockExamination: Sendable {
    private static let subject = "clock"
    /// No machine that runs this program lives before it was written: 2025-01-01.
    private static let earliest = Date(timeIntervalSince1970: 1_735_689_600)
    private static let tolerance: TimeInterval = 60

    var now: @Sendable () -> Date = { Date() }

    /// Compares it with what was written last to a file.
    func findings(database path: String) -> [Finding] {
        let now = now()
        let text = now.formatted(.iso8601)
        let advice = "set the clock and keep it synchronized (NTP)"
        guard now > Self.earliest else { return [.problem(Self.subject, "it says \(text)", advice: advice)] }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        if let written = attributes?[.modificationDate] as? Date, written > now.addingTimeInterval(Self.tolerance) {
            return [
                .problem(
                    Self.subject, "it shows \(text), but \(path) was written at \(written.formatted(.iso8601))",
                    advice: advice)
            ]
        }
        return [.ok(Self.subject, text)]
    }
}
