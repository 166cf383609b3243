/// One setting: its name, what it may hold, its default and what it means, declared once (configuration.md).
///
/// The keys are static members, so that a value is read as `settings[.httpPort]`.
package struct SettingKey<Value: Sendable>: Sendable {
    /// Name of the environment variable, for example "BOOKSTRACK_HTTP_PORT".
    package let name: String
    /// How a text becomes a value.
    package let kind: SettingKind<Value>
    /// The value when no layer has one.
    package let fallback: Value
    /// What it means, in words.
    package let meaning: String
    /// The default in words, where it depends on something else.
    let fallbackNote: String?
    /// Variables that other programs share with this one, read where no layer has a value; the first one counts.
    let commonVariables: [String]

    /// Declares a setting.
    package init(
        _ name: String, _ kind: SettingKind<Value>, default fallback: Value, note: String? = nil,
        orElse commonVariables: [String] = [], _ meaning: String
    ) {
        self.name = name
        self.kind = kind
        self.fallback = fallback
        self.meaning = meaning
        fallbackNote = note
        self.commonVariables = commonVariables
    }

    /// The declaration without its type, for lists.
    var declaration: SettingDeclaration {
        SettingDeclaration(
            name: name, unit: kind.unit, meaning: meaning, isSecret: kind.isSecret, shape: kind.shape,
            fallback: fallbackNote ?? kind.show(fallback), commonVariables: commonVariables,
            check: { text throws(SettingProblem) in kind.show(try kind.parse(try Self.line(text))) })
    }

    /// Settings become fields of requests and lines of a log, where a line end would begin another (RFC 9110 §5.5).
    private static func line(_ text: String) throws(SettingProblem) -> String {
        guard !text.unicodeScalars.contains(where: TerminalText.isUnsafe) else {
            throw SettingProblem("must be one line without control characters")
        }
        return text
    }
}
