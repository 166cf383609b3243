/// How a JSON file writes a setting.
package enum SettingShape: Sendable {
    case text
    case integer
    case number
    case truth
    case list
}

/// How a setting's text becomes a value, and back.
package struct SettingKind<Value: Sendable>: Sendable {
    /// Unit of the number, where it has one.
    package var unit: String?
    /// Whether the value must not be shown.
    package var isSecret = false
    /// How a JSON file writes it.
    package var shape: SettingShape
    /// Reads a text; throws a sentence about what would be right.
    package var parse: @Sendable (String) throws(SettingProblem) -> Value
    /// The text that `parse` would read as this value.
    package var show: @Sendable (Value) -> String
}

/// What is wrong with a setting's text, as the end of the sentence "NAME …".
package struct SettingProblem: Error, Equatable {
    package let text: String

    package init(_ text: String) { self.text = text }
}
