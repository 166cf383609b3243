import Foundation
import NIOCore
import ServiceKit

/// How a run shows its progress.
enum ProgressOutput {
    /// A bar that is drawn again in place, on the terminal behind standard error.
    case bar(ProgressBar)
    /// A line per update, on standard error.
    case lines
    /// The frames as they came, one per line, on standard output.
    case json

    /// The bar on a terminal that can draw it, lines otherwise.
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
        case .bar(let bar): StandardStreams.writeError("\r\u{1B}[K" + bar.line(count))
        case .lines: StandardStreams.writeError(Self.line(count) + "\n")
        case .json: break
        }
    }

    func show(frame: ByteBuffer) {
        guard case .json = self else { return }
        StandardStreams.writeOutput(String(buffer: frame) + "\n")
    }

    /// A message that the bar must not run into.
    func note(_ text: String) {
        if case .bar = self { StandardStreams.writeError("\r\u{1B}[K") }
        StandardStreams.writeMessage(text)
    }

    /// Leaves the bar's line.
    func finish() {
        if case .bar = self { StandardStreams.writeError("\n") }
    }

    static func line(_ count: ProgressCount) -> String {
        let title = count.title.isEmpty ? "" : "  " + TerminalText.line(count.title)
        let figures = ["\(count.processed)/\(count.total)", "\(count.found) found"] + count.missingTexts
        return figures.joined(separator: "  ") + title
    }
}

/// Text that is drawn again in place.
///
/// On a terminal it has the alternate screen, which leaves what was there before as it was; each drawing is one write that overwrites the
/// one before and clears what is left of it, so that nothing flickers (ECMA-48: CUP, EL, ED; xterm's private modes 25 and 1049). Elsewhere
/// drawings follow each other with an empty line between.
struct LiveScreen: Sendable {
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

    let isTerminal: Bool
    let write: @Sendable (String) -> Void

    /// The screen behind standard output.
    static var standard: LiveScreen {
        LiveScreen(isTerminal: StandardStreams.outputColumns != nil && TerminalEnvironment().takesSequences) {
            StandardStreams.writeOutput($0)
        }
    }

    func begin() { if isTerminal { write(Self.enter) } }

    /// Shows the lines, as many as there are rows.
    func draw(_ lines: [String], rows: Int?) {
        guard isTerminal else { return write(lines.joined(separator: "\n") + "\n\n") }
        let shown = rows.map { lines.prefix(max(1, $0)) } ?? lines[...]
        write("\u{1B}[H" + shown.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J")
    }

    func end() { if isTerminal { write(Self.leave) } }
}
