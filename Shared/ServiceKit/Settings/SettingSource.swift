/// Which layer a setting's value came from, strongest first (configuration.md).
package enum SettingSource: Sendable, Equatable, CustomStringConvertible {
    case commandLine
    case environment
    /// The configuration file at this path.
    case file(String)
    /// A secret that was read from the file at this path, which `…_FILE` names.
    case secretFile(String)
    /// What another process said of its own source.
    case reported(String)
    case fallback

    package var description: String {
        switch self {
        case .commandLine: "command line"
        case .environment: "environment"
        case .file(let path): path
        case .secretFile(let path): "secret file \(path)"
        case .reported(let source): source
        case .fallback: "default"
        }
    }
}
