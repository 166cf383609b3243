import BookstrackContract
import ProgressClient
import ServiceKit

/// One line that shows how far a run is, for a terminal of a given width.
struct ProgressBar {
    let columns: Int
    /// Whether block characters may be used.
    let unicode: Bool

    /// The line, at most `columns` wide: bar, percentage, counts, time left, and the title as far as there is room.
    func line(_ count: ProgressCount) -> String {
        // A job that has not said yet how many books it has is at its start.
        let fraction = count.total == 0 ? 0 : Double(count.processed) / Double(count.total)
        var figures = percentage(fraction) + "  \(count.processed)/\(count.total)  \(count.found) found"
        for text in count.missingTexts { figures += "  " + text }
        if let seconds = count.secondsLeft, seconds > 0 { figures += "  \(Self.time(seconds)) left" }
        let barColumns = min(30, columns - DisplayWidth.of(figures) - 3)
        let bar = barColumns >= 5 ? self.bar(fraction, barColumns) + " " : ""
        let line = bar + figures
        let room = columns - DisplayWidth.of(line) - 2
        guard room >= 8, !count.title.isEmpty else { return DisplayWidth.fit(line, columns) }
        return line + "  " + DisplayWidth.fit(TerminalText.line(count.title), room)
    }

    private func bar(_ fraction: Double, _ columns: Int) -> String {
        let filled = Int((fraction * Double(columns)).rounded(.down))
        let (done, rest) = unicode ? ("█", "░") : ("#", "-")
        return (unicode ? "" : "[") + String(repeating: done, count: filled)
            + String(repeating: rest, count: columns - filled) + (unicode ? "" : "]")
    }

    private func percentage(_ fraction: Double) -> String {
        let text = "\(Int(fraction * 100))"
        return String(repeating: " ", count: 3 - text.count) + text + " %"
    }

    static func time(_ seconds: Int) -> String {
        seconds < 100 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    }
}

/// How far a run of one or more jobs is.
struct ProgressCount: Equatable {
    var total: Int
    var found = 0
    /// Books without a result, by reason.
    var missing: [FailureReason: Int] = [:]
    /// What was looked up last.
    var title = ""
    /// Seconds that the rest will take.
    var secondsLeft: Int?

    var processed: Int { found + missing.values.reduce(0, +) }

    /// Whether it is worth another line: the time left alone is not.
    func saysMore(than other: ProgressCount) -> Bool {
        (total, found, missing, title) != (other.total, other.found, other.missing, other.title)
    }

    /// For example "60 not found", one text per reason that occurs.
    var missingTexts: [String] {
        FailureReason.allCases.compactMap { reason in missing[reason].map { "\($0) \(reason.word)" } }
    }

    /// What a running job says of itself.
    mutating func take(_ payload: JobProgressPayload) {
        total = payload.totalCount
        found = payload.successCount
        missing = FailureReason.counts(payload.failureCounts, of: payload.failureCount)
        if !payload.currentTitle.isEmpty { title = payload.currentTitle }
        secondsLeft = payload.estimatedTimeRemaining
    }

    /// What a finished job says of itself.
    mutating func take(_ payload: JobCompletePayload) {
        total = payload.result.totalBooks
        found = payload.successCount
        missing = FailureReason.counts(payload.failureCounts, of: payload.failureCount)
        secondsLeft = nil
    }

    /// The counts of jobs that run side by side; the title is the other's, the time that of the slower.
    mutating func add(_ other: ProgressCount) {
        total += other.total
        found += other.found
        missing.merge(other.missing) { $0 + $1 }
        if !other.title.isEmpty { title = other.title }
        if let seconds = other.secondsLeft { secondsLeft = max(secondsLeft ?? 0, seconds) }
    }
}

extension FailureReason {
    /// Counts by reason. A server that gives none knows only that books were not found.
    static func counts(_ counts: FailureCounts?, of total: Int) -> [FailureReason: Int] {
        guard let counts else { return total == 0 ? [:] : [.notFound: total] }
        return ItemErrorCode.allCases.reduce(into: [:]) { reasons, code in
            if counts[code] > 0 { reasons[FailureReason(code), default: 0] += counts[code] }
        }
    }
}
