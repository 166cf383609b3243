/// Texts of a batch enrichment: one place for what clients and logs read (phase-2 plan task 4, spec/05 "Status texts").
public enum StatusText {
    /// Short neutral `status` of a progress frame: "Processing book 5 of 10".
    public static func progress(processed: Int, total: Int) -> String {
        "Processing book \(min(processed, total)) of \(total)"
    }

    /// `status` of a cancelled job's last frame (spec/07).
    public static let cancelled = "job_cancelled"

    /// `status` of the frame that precedes the `error` of a failed scan, the only one that says so (spec/03 "Payloads").
    public static func scanFailed(_ reason: String) -> String { "Scan failed (error): \(reason)" }

    /// Friendly text of a cancellation.
    public static let friendlyCancellation = "Cancelled. Books that were already found are kept for a day."

    /// Whether a text may be a `status`: shipped clients take one with the words *error*, *fail* or *complete* for an end of the job
    /// (spec/03 "Payloads").
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

    /// Friendly text of a completion.
    public static func completion(succeeded: Int, failed: Int) -> String {
        let added = "Added \(succeeded) \(succeeded == 1 ? "book" : "books")"
        return failed == 0 ? "✅ \(added) to your library." : "\(added). \(failed) couldn't be found."
    }

    /// Seconds that the rest will take at the pace so far; nil before the first item is done.
    public static func estimatedSecondsRemaining(processed: Int, total: Int, elapsedMilliseconds: Int64) -> Int? {
        guard processed > 0, elapsedMilliseconds >= 0 else { return nil }
        let remaining = Double(total - processed) * Double(elapsedMilliseconds) / Double(processed)
        return Int((remaining / 1_000).rounded(.up))
    }
}
