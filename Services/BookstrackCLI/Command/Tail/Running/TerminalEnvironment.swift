import Foundation

/// What the environment says about the terminal.
struct TerminalEnvironment {
    private let variables: [String: String]

    init(_ variables: [String: String] = ProcessInfo.processInfo.environment) { self.variables = variables }

    /// Whether the terminal knows sequences that move its cursor and clear its lines.
    var takesSequences: Bool { variables["TERM"] != "dumb" }

    /// Not with `NO_COLOR` (no-color.org), and not on a terminal that knows no sequences.
    var allowsColours: Bool { variables["NO_COLOR", default: ""].isEmpty && takesSequences }
}
