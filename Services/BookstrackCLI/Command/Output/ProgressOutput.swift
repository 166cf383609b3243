import Foundation
import ServiceKit

/// How to show the progress of a run.
enum ProgressOutput {
    /// A bar that is redrawn in place, on the terminal of standard error.
    case bar(ProgressBar)
    /// A line per update, on standard error.
    case lines
    /// The frames as received, one per line, on standard output.
    case json

    /// The frames if JSON was requested; otherwise the bar if the terminal can draw it, otherwise lines.
    static func standard(json: Bool) -> ProgressOutput {
        if json { return .json }
        guard let columns = StandardStreams.errorColumns else { return .lines }
        guard TerminalEnvironment().takesSequences else { return .lines }
        let environment = ProcessInfo.processInfo.environment
        let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
        let unicode = locale.lowercased().contains("utf")
        return .bar(ProgressBar(columns: columns - 1, unicode: unicode))
    }

    func show(_ count: ProgressCount) {
        switch self {
        case .bar(let bar): bar.draw(bar.line(count))
        case .lines: StandardStreams.writeError(Self.line(count) + "\n")
        case .json: break
        }
    }

    /// Shows a status and its percentage, on a terminal only.
    func show(_ status: String, _ percentage: Int) {
        guard case .bar(let bar) = self else { return }
        bar.draw(DisplayWidth.fit("\(status)  \(percentage) %", bar.columns))
    }

    /// Shows a status, on a terminal only.
    func show(status: String) {
        guard case .bar(let bar) = self else { return }
        bar.draw(DisplayWidth.fit(status, bar.columns))
    }

    func show(frame: String) {
        guard case .json = self else { return }
        StandardStreams.writeOutput(UntrustedText.json(frame) + "\n")
    }

    /// Removes the bar or the status from the terminal, so that the next output starts on an empty line.
    func clear() {
        if case .bar(let bar) = self { bar.draw("") }
    }

    /// Prints a message on its own line.
    func note(_ text: String) {
        clear()
        StandardStreams.writeMessage(text)
    }

    /// Ends the bar's line.
    func finish() {
        if case .bar = self { StandardStreams.writeError("\n") }
    }

    static func line(_ count: ProgressCount) -> String {
        let title = count.title.isEmpty ? "" : "  " + TerminalText.line(count.title)
        let figures = ["\(count.processed)/\(count.total)", "\(count.found) found"] + count.missingTexts
        return figures.joined(separator: "  ") + title
    }
}

/// Text that is redrawn in place.
///
/// A terminal is switched to its alternate screen, which preserves the previous contents; each drawing is one write that overwrites the
/// previous one and clears the rest, so nothing flickers (ECMA-48: CUP, EL, ED; xterm's private modes 25 and 1049). If standard output is not a
/// terminal, or only a dumb one, drawings follow each other, separated by an empty line.
struct LiveScreen: Sendable {
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

    let isTerminal: Bool
    let write: @Sendable (String) -> Void

    /// The screen of standard output.
    static var standard: LiveScreen {
        LiveScreen(isTerminal: StandardStreams.outputColumns != nil && TerminalEnvironment().takesSequences) {
            StandardStreams.writeOutput($0)
        }
    }

    func begin() { if isTerminal { write(Self.enter) } }

    /// Shows the lines; on a terminal with a known height, only as many as it has rows.
    func draw(_ lines: [String], rows: Int?) {
        guard isTerminal else { return write(lines.joined(separator: "\n") + "\n\n") }
        let shown = rows.map { lines.prefix(max(1, $0)) } ?? lines[...]
        write("\u{1B}[H" + shown.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J")
    }

    func end() { if isTerminal { write(Self.leave) } }
}
