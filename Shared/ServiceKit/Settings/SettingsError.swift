/// Why the settings cannot be used; its description is the single line shown when a start fails (configuration.md).
package enum SettingsError: Error, Equatable, CustomStringConvertible {
    /// An invalid value. `shown` is the value, masked if it is secret or may contain a password.
    case badValue(name: String, shown: String, source: SettingSource, problem: String)
    /// A setting cannot be used, by itself or together with others; the text is the whole message.
    case contradiction(String)
    /// The command line has an unknown option.
    case unknownOption(String)
    /// The command line has an option without its value.
    case missingValue(String)
    /// The command line has an argument that is not an option.
    case unexpectedArgument(String)
    /// A file cannot be read.
    case unreadableFile(path: String, reason: String)
    /// The configuration file is not a JSON object of settings.
    case malformedFile(path: String, reason: String)
    /// A secret is given both directly and as a file.
    case secretGivenTwice(name: String)
    /// A directory cannot be used.
    case unusableDirectory(path: String, reason: String)
    /// Listening at an address failed, and a restart would not help.
    case unusableAddress(address: String, reason: String)
    /// A socket that the service manager opened cannot be used.
    case unusableSocket(name: String, reason: String)

    package var description: String {
        switch self {
        case .badValue(let name, let shown, let source, let problem):
            source == .commandLine
                ? "--\(SettingDeclaration.option(ofVariable: name)) \(problem), not \"\(TerminalText.line(shown))\""
                : "\(name) \(problem), not \"\(TerminalText.line(shown))\" (from \(source))"
        case .contradiction(let text): text
        case .unknownOption(let option): "unknown option \(option); --help lists all options"
        case .missingValue(let option): "option \(option) needs a value; --help lists all options"
        case .unexpectedArgument(let argument): "unexpected argument \"\(argument)\"; --help lists all options"
        case .unreadableFile(let path, let reason): "cannot read \(path): \(reason)"
        case .malformedFile(let path, let reason): "\(path) is not a usable configuration file: \(reason)"
        case .secretGivenTwice(let name): "\(name) and \(name)_FILE are both set; set only one"
        case .unusableDirectory(let path, let reason): "cannot use the directory \(path): \(reason)"
        case .unusableAddress(let address, let reason): "cannot listen on \(address): \(reason)"
        case .unusableSocket(let name, let reason): "cannot use the passed socket \(name): \(reason)"
        }
    }
}
