/// A text that never shows itself in logs, help or error messages.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What is shown instead.
    static let mask = "********"

    /// The secret itself, for the one place that sends it.
    package let exposed: String

    package init(_ text: String) { exposed = text }

    package var description: String { Self.mask }
    package var debugDescription: String { Self.mask }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
