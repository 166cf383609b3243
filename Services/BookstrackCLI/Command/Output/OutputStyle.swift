import Foundation

/// The meaning of a piece of output, which determines its color.
enum OutputMeaning: Sendable {
    case plain
    /// As intended.
    case ok
    /// Works, but not as intended, or not for long.
    case warning
    /// Does not work.
    case problem
    /// Less important than the text around it.
    case faint
    case heading

    fileprivate var ansiStyle: ANSIStyle {
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

/// The width of text for users, and whether it is colored.
struct OutputStyle: Sendable {
    /// Width of output that is not written to a terminal.
    static let widthOfFiles = 200

    let width: Int
    let colors: Bool

    /// The style for standard output; a file has long lines and no colors.
    static var standard: OutputStyle {
        let columns = StandardStreams.outputColumns
        return OutputStyle(
            width: columns ?? widthOfFiles, colors: columns != nil && TerminalEnvironment().allowsColors)
    }

    /// The text in the color of its meaning. Untrusted text must already be safe to print.
    func paint(_ text: String, _ meaning: OutputMeaning) -> String { colors ? meaning.ansiStyle.paint(text) : text }

    /// The text in the color of its meaning, padded with uncolored spaces to `columns`.
    func pad(_ text: String, _ columns: Int, _ meaning: OutputMeaning) -> String {
        paint(text, meaning) + String(repeating: " ", count: max(0, columns - DisplayWidth.of(text)))
    }
}

/// The terminal according to the environment.
struct TerminalEnvironment {
    private let variables: [String: String]

    init(_ variables: [String: String] = ProcessInfo.processInfo.environment) { self.variables = variables }

    /// Whether the terminal understands sequences that move its cursor and clear its lines.
    var takesSequences: Bool { variables["TERM"] != "dumb" }

    /// False if `NO_COLOR` is set and not empty (no-color.org) or if the terminal does not understand escape sequences.
    var allowsColors: Bool { variables["NO_COLOR", default: ""].isEmpty && takesSequences }
}
