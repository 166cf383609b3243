/// Texts about jobs for clients and logs (jobs.md "Status texts").
public enum StatusText {
    /// Short neutral `status` of a progress frame: "Processing book 5 of 10".
    public static func progress(processed: Int, total: Int) -> String {
        "Processing book \(min(processed, total)) of \(total)"
    }

    /// The `status` of a cancelled job's last frame (websocket.md "Payloads").
    public static let cancelled = "job_cancelled"

    /// The `status` of the frame before the `error` of a failed scan; no other `status` mentions a failure (websocket.md "Payloads").
    public static func scanFailed(_ reason: String) -> String { "Scan failed (error): \(reason)" }

    /// The `status` of a completed scan's last v1 frame; v1 clients wait for the word "complete" (websocket.md "v1 dialect").
    public static let scanComplete = "Scan complete"

    /// Text for users after a cancellation.
    public static let friendlyCancellation = "Cancelled. Books that were already found are kept for a while."

    /// Whether a string may be a `status`: shipped clients treat the words *error*, *fail* and *complete* as the end of the job
    /// (websocket.md "Payloads").
    public static func isNeutral(_ text: String) -> Bool {
        let text = text.lowercased()
        return !["error", "fail", "complete"].contains(where: text.contains)
    }

    /// Text for users while a job runs.
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

    /// Text for users after a completion. A book "couldn't be found" only if every provider responded; otherwise, for example during an outage or
    /// with an invalid ISBN, it "couldn't be looked up".
    public static func completion(_ counts: JobCounts) -> String {
        let added = "Added \(counts.succeeded) \(counts.succeeded == 1 ? "book" : "books")"
        guard counts.failed > 0 else { return "✅ \(added) to your library." }
        let unknown = counts.failures[.notFound]
        let reasons = [(unknown, "found"), (counts.failed - unknown, "looked up")].filter { $0.0 > 0 }
        return "\(added). " + reasons.map { "\($0.0) couldn't be \($0.1)" }.joined(separator: ", ") + "."
    }

    /// Text for users when the results have improved after the end of a job.
    public static func moreMetadata(books: Int) -> String {
        "We found more metadata for \(books) \(books == 1 ? "book" : "books")."
    }

    /// Short neutral `status` of an import's progress frame.
    public static func progress(_ phase: ImportPhase) -> String {
        switch phase {
        case .parsing: "Reading your library"
        case .validating: "Validating book data"
        case .saving: "Adding books to your library"
        }
    }

    /// Text for users while a library file is read.
    public static func friendlyProgress(_ phase: ImportPhase, percentage: Int) -> String {
        switch phase {
        case .parsing: "📄 Reading your library export... \(percentage)% complete"
        case .validating: "✅ Validating book data... \(percentage)% complete"
        case .saving: "💾 Adding books to your library... \(percentage)% complete"
        }
    }

    /// Technical text for the log.
    public static func technicalProgress(_ phase: ImportPhase, percentage: Int) -> String {
        "CSV \(phase.rawValue) (\(percentage)%)"
    }

    /// Text for users after an import.
    public static func completion(books: Int, errors: Int) -> String {
        let added = "Added \(books) \(books == 1 ? "book" : "books")"
        guard errors > 0 else { return "✅ \(added) to your library." }
        return "\(added). \(errors) \(errors == 1 ? "row" : "rows") couldn't be used."
    }

    /// Text for users after a cancelled import.
    public static let friendlyImportCancellation = "Cancelled. Nothing was added to your library."

    /// Short neutral `status` of a scan's progress frame.
    public static func progress(_ stage: ScanStage, photo: Int, of photos: Int) -> String {
        switch stage {
        case .analyzing: photos == 1 ? "Analyzing photo" : "Analyzing photo \(photo) of \(photos)"
        case .extracting: "Extracting books"
        case .enriching: "Finding details for your books"
        }
    }

    /// Text for users during a stage of a scan.
    public static func friendlyProgress(_ stage: ScanStage) -> String {
        switch stage {
        case .analyzing: "🔍 Analyzing bookshelf photo with AI..."
        case .extracting: "📚 Extracting books..."
        case .enriching: "✨ Finding details for your books..."
        }
    }

    /// Text for users after a scan.
    public static func completion(detected: Int, approved: Int) -> String {
        let found = "Found \(detected) \(detected == 1 ? "book" : "books")"
        let open = detected - approved
        return open == 0 ? "✅ \(found)." : "\(found). \(open) \(open == 1 ? "needs" : "need") your review."
    }

    /// Text for users after a cancelled scan.
    public static let friendlyScanCancellation = "Cancelled. No books were added."

    /// Estimated remaining seconds at the average rate so far; nil before the first item is finished, or if the elapsed time is negative.
    public static func estimatedSecondsRemaining(processed: Int, total: Int, elapsedMilliseconds: Int64) -> Int? {
        guard processed > 0, elapsedMilliseconds >= 0 else { return nil }
        let remaining = Double(total - processed) * Double(elapsedMilliseconds) / Double(processed)
        return Int((remaining / 1_000).rounded(.up))
    }
}
