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
