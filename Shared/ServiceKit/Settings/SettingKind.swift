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
    /// Whether the text may hold a password and must not be shown with the problem.
    package let hidesValue: Bool

    package init(_ text: String, hidesValue: Bool = false) {
        self.text = text
        self.hidesValue = hidesValue
    }
}
