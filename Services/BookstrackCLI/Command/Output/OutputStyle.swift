import Foundation

/// What a piece of output means for its reader, which decides its colour.
enum Meaning: Sendable {
    case plain
    /// As it should be.
    case ok
    /// Works, but not as it should, or not for long.
    case warning
    /// Does not work.
    case problem
    /// Of less interest than what is around it.
    case faint
    case heading

    fileprivate var ink: Ink {
        switch self {
        case .plain: .plain
        case .ok: .green
        case .warning: .yellow
        case .problem: .red
        case .faint: .dim
        case .heading: .bold
        }
    }
}

/// How text for a person is laid out.
struct OutputStyle: Sendable {
    /// Columns on a terminal where output is not written to one.
    static let widthOfFiles = 200

    let width: Int
    let colours: Bool

    /// The terminal behind standard output; a file has room for long lines, and no colours.
    static var standard: OutputStyle {
        let columns = StandardStreams.outputColumns
        return OutputStyle(
            width: columns ?? widthOfFiles, colours: columns != nil && TerminalEnvironment().allowsColours)
    }

    /// `text` in the colour of its meaning. What does not come from the suite must have been made harmless before.
    func paint(_ text: String, _ meaning: Meaning) -> String { colours ? meaning.ink.paint(text) : text }

    /// `text` with spaces behind it up to `columns`, which are not painted.
    func pad(_ text: String, _ columns: Int, _ meaning: Meaning) -> String {
        paint(text, meaning) + String(repeating: " ", count: max(0, columns - DisplayWidth.of(text)))
    }
}

/// What the environment says about the terminal.
struct TerminalEnvironment {
    private let variables: [String: String]

    init(_ variables: [String: String] = ProcessInfo.processInfo.environment) { self.variables = variables }

    /// Whether the terminal knows sequences that move its cursor and clear its lines.
    var takesSequences: Bool { variables["TERM"] != "dumb" }

    /// Not with `NO_COLOR` (no-color.org), and not on a terminal that knows no sequences.
    var allowsColours: Bool { variables["NO_COLOR", default: ""].isEmpty && takesSequences }
}
