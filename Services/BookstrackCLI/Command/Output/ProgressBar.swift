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
