package import SuiteMethods

/// One row of `bookstrack config`.
package struct EffectiveSetting: Sendable, Equatable {
    /// Name of the environment variable.
    package let name: String
    /// The command-line option.
    package let option: String
    /// The value that holds, masked when secret.
    package let value: String
    /// The layer it came from.
    package let source: SettingSource
    /// Unit of the number, where it has one.
    package let unit: String?
    /// The default, in words where it depends on something else.
    package let fallback: String
    /// What it means.
    package let meaning: String
    /// Whether the value must not be shown.
    package let isSecret: Bool
    /// The services that use it; none for a setting of the command line.
    package let readers: [ServiceName]
}
