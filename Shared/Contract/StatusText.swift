/// Texts of a batch enrichment: one place for what clients and logs read (jobs.md "Status texts").
public enum StatusText {
    /// Short neutral `status` of a progress frame: "Processing book 5 of 10".
    public static func progress(processed: Int, total: Int) -> String {
        "Processing book \(min(processed, total)) of \(total)"
    }

    /// `status` of a cancelled job's last frame (websocket.md "Payloads").
    public static let cancelled = "job_cancelled"

    /// `status` of the frame that precedes the `error` of a failed scan, the only one that says so (websocket.md "Payloads").
    public static func scanFailed(_ reason: String) -> String { "Scan failed (error): \(reason)" }

    /// Friendly text of a cancellation.
    public static let friendlyCancellation = "Cancelled. Books that were already found are kept for a day."

    /// Whether a text may be a `status`: shipped clients take one with the words *error*, *fail* or *complete* for an end of the job
    /// (websocket.md "Payloads").
    public static func isNeutral(_ text: String) -> Bool {
        let text = text.lowercased()
        return !["error", "fail", "complete"].contains(where: text.contains)
    }

    /// Friendly text while a job runs.
    public static func friendlyProgress(title: String, found: Bool, processed: Int, total: Int) -> String {
        guard !title.isEmpty else { return "Finding details for your books... \(processed) of \(total) books complete" }
        return found
            ? "Finding details for \(title)... \(processed) of \(total) books complete"
            : "⚠️ Couldn't find details for \(title)"
    }

    /// Technical text for the log.
    public static func technicalProgress(title: String, found: Bool, processed: Int, total: Int) -> String {
        (found ? "Enriching" : "Enrichment failed") + " (\(processed)/\(total)): \(title)"
    }

    /// Friendly text of a completion. Only books that every provider has answered about "couldn't be found"; the others, such as those of an
    /// outage or with a damaged ISBN, "couldn't be looked up".
    public static func completion(_ counts: JobCounts) -> String {
        let added = "Added \(counts.succeeded) \(counts.succeeded == 1 ? "book" : "books")"
        guard counts.failed > 0 else { return "✅ \(added) to your library." }
        let unknown = counts.failures[.notFound]
        let reasons = [(unknown, "found"), (counts.failed - unknown, "looked up")].filter { $0.0 > 0 }
        return "\(added). " + reasons.map { "\($0.0) couldn't be \($0.1)" }.joined(separator: ", ") + "."
    }

    /// Seconds that the rest will take at the pace so far; nil before the first item is done.
    public static func estimatedSecondsRemaining(processed: Int, total: Int, elapsedMilliseconds: Int64) -> Int? {
        guard processed > 0, elapsedMilliseconds >= 0 else { return nil }
        let remaining = Double(total - processed) * Double(elapsedMilliseconds) / Double(processed)
        return Int((remaining / 1_000).rounded(.up))
    }
}
