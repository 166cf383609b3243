import Foundation

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
