/// A `SettingKey` without its type, as lists, help and the layers need it.
struct SettingDeclaration: Sendable {
    /// Start of every variable of the suite.
    static let prefix = "BOOKSTRACK_"

    let name: String
    let unit: String?
    let meaning: String
    let isSecret: Bool
    let shape: SettingShape
    /// The default as shown.
    let fallback: String
    /// See ``SettingKey/commonVariables``.
    let commonVariables: [String]
    /// Parses a text and shows the value it stands for.
    let check: @Sendable (String) throws(SettingProblem) -> String

    /// Name in kebab case without the prefix: the key in the file and, after two dashes, the command-line option.
    var option: String { Self.option(ofVariable: name) }

    static func option(ofVariable name: String) -> String {
        name.dropFirst(prefix.count).lowercased().split(separator: "_").joined(separator: "-")
    }
}
