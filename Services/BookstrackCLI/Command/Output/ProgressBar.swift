import BookstrackClient
import BookstrackContract
import ServiceKit

/// One line with the progress of a run, for a terminal of a given width.
struct ProgressBar {
    let columns: Int
    /// Whether block characters may be used.
    let unicode: Bool
    /// Maximum width of the bar itself, in columns.
    var maxBarColumns = 30
    /// Writes to the terminal.
    var write: @Sendable (String) -> Void = { StandardStreams.writeError($0) }

    /// Replaces the terminal's current line (ECMA-48: EL).
    func draw(_ line: String) { write("\r\u{1B}[K" + line) }

    /// The line, at most `columns` wide: bar, percentage, counts, remaining time and title, as far as they fit.
    func line(_ count: ProgressCount) -> String {
        // A job that has not yet reported its number of books is at its start.
        let fraction = count.total <= 0 ? 0 : min(1, max(0, Double(count.processed) / Double(count.total)))
        var figures = percentage(fraction) + "  \(count.processed)/\(count.total)  \(count.found) found"
        for text in count.missingTexts { figures += "  " + text }
        if let seconds = count.secondsLeft, seconds > 0 { figures += "  \(Self.time(seconds)) left" }
        let barColumns = min(maxBarColumns, columns - DisplayWidth.of(figures) - 3)
        let bar = barColumns >= 5 ? self.bar(fraction, barColumns) + " " : ""
        let line = bar + figures
        let room = columns - DisplayWidth.of(line) - 2
        guard room >= 8, !count.title.isEmpty else { return DisplayWidth.fit(line, columns) }
        return line + "  " + DisplayWidth.fit(TerminalText.line(count.title), room)
    }

    /// The bar alone.
    func bar(_ fraction: Double, _ columns: Int) -> String {
        let filled = Int((fraction * Double(columns)).rounded(.down))
        let (done, rest) = unicode ? ("█", "░") : ("#", "-")
        return (unicode ? "" : "[") + String(repeating: done, count: filled)
            + String(repeating: rest, count: columns - filled) + (unicode ? "" : "]")
    }

    private func percentage(_ fraction: Double) -> String {
        DisplayWidth.right("\(Int(fraction * 100))", 3) + " %"
    }

    static func time(_ seconds: Int) -> String {
        seconds < 100 ? "\(seconds) s" : "\((seconds - 1) / 60 + 1) min"
    }
}

/// The progress of one or more jobs.
struct ProgressCount: Equatable {
    var total: Int
    var found = 0
    /// Books without a result, by reason.
    var missing: [FailureReason: Int] = [:]
    /// Title of the newest finished book, or the name of a file that is being imported; empty if there is none.
    var title = ""
    /// Estimated remaining time in seconds; nil if it is unknown.
    var secondsLeft: Int?

    var processed: Int { missing.values.reduce(found) { $0.addingClamped($1) } }

    /// Whether the change from `other` warrants another line; a new remaining time alone does not.
    func saysMore(than other: ProgressCount) -> Bool {
        (total, found, missing, title) != (other.total, other.found, other.missing, other.title)
    }

    /// One text per reason, for example "60 not found".
    var missingTexts: [String] {
        FailureReason.allCases.compactMap { reason in missing[reason].map { "\($0) \(reason.word)" } }
    }

    /// Takes the progress from an event of a job.
    mutating func take(_ event: JobEvent) {
        switch event.content {
        case .started(let payload): total = payload.totalCount
        case .progress(let payload): take(payload)
        case .state(let summary), .completed(let summary): take(summary)
        case .photosStarted, .photos, .photosCompleted, .failed, .cancelled, .resultsUpdated: break
        }
    }

    /// Takes the progress from the state or the end of a job.
    private mutating func take(_ summary: JobSummary) {
        total = summary.totalCount
        found = summary.successCount ?? summary.processedCount
        missing = FailureReason.counts(summary.failureCounts, of: summary.failureCount ?? 0)
        secondsLeft = nil
    }

    /// Takes the progress from a progress frame.
    mutating func take(_ payload: JobProgressPayload) {
        total = payload.totalCount
        found = payload.successCount
        missing = FailureReason.counts(payload.failureCounts, of: payload.failureCount)
        if !payload.currentTitle.isEmpty { title = payload.currentTitle }
        secondsLeft = payload.estimatedTimeRemaining
    }

    /// Adds a concurrent job. The title becomes that of the added job, if it has one; the remaining time becomes that of the slower job.
    mutating func add(_ other: ProgressCount) {
        total = total.addingClamped(other.total)
        found = found.addingClamped(other.found)
        missing.merge(other.missing) { $0.addingClamped($1) }
        if !other.title.isEmpty { title = other.title }
        if let seconds = other.secondsLeft { secondsLeft = max(secondsLeft ?? 0, seconds) }
    }
}

extension FailureReason {
    /// The number of books without a result, by reason. If the server sent no reasons, all `total` books count as not found.
    static func counts(_ counts: FailureCounts?, of total: Int) -> [FailureReason: Int] {
        guard let counts else { return total == 0 ? [:] : [.notFound: total] }
        return ItemErrorCode.allCases.reduce(into: [:]) { reasons, code in
            guard counts[code] > 0 else { return }
            let reason = FailureReason(code)
            reasons[reason] = counts[code].addingClamped(reasons[reason] ?? 0)
        }
    }
}
