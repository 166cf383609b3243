import Configuration
import Foundation

/// The layers in which a setting's text is looked up: command line, environment, file.
struct SettingLayers {
    /// Bytes that are read of a secret's file.
    private static let longestSecretFile = 65_536
    private let commandLine: CommandLineArgumentsProvider
    private let environment: EnvironmentVariablesProvider
    private var file: SettingsFile?
    private let variables: [String: String]

    /// A text and the layer that has it.
    struct Finding {
        var text: String
        var source: SettingSource
    }

    init(arguments: [String], environment variables: [String: String]) {
        commandLine = CommandLineArgumentsProvider(arguments: [""] + arguments)
        environment = EnvironmentVariablesProvider(environmentVariables: variables)
        self.variables = variables
    }

    /// Reads the configuration file that the other layers name, or the default one. Returns its unknown keys.
    mutating func readFile() throws(SettingsError) -> [String] {
        file = try SettingsFile.read(
            asked: find(option: SettingKey.configFile.declaration.option, .text)?.text)
        return file?.unknownKeys ?? []
    }

    /// The strongest layer's text for a declaration; a secret may come from the file that `…_FILE` names. An empty file counts as
    /// absent: a container's optional secret is mounted whether it holds a key or not.
    func find(_ setting: SettingDeclaration) throws(SettingsError) -> Finding? {
        let direct = try find(option: setting.option, setting.shape)
        guard setting.isSecret, let named = try find(option: setting.option + "-file", .text),
            let secret = try secret(in: named.text, for: setting)
        else { return direct ?? common(setting) }
        guard direct == nil else { throw .secretGivenTwice(name: setting.name) }
        return secret
    }

    /// What a variable says that is not the suite's own.
    private func common(_ setting: SettingDeclaration) -> Finding? {
        let text = setting.commonVariables.lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
        return text.map { Finding(text: $0, source: .environment) }
    }

    private func secret(in path: String, for setting: SettingDeclaration) throws(SettingsError) -> Finding? {
        do {
            // Reads `/dev/null` as well, which `String(contentsOf:)` refuses.
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            let text = String(decoding: try file.read(upToCount: Self.longestSecretFile) ?? Data(), as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isEmpty ? nil : Finding(text: text, source: .secretFile(path))
        } catch {
            throw .unreadableFile(path: path, reason: "it should hold \(setting.name)")
        }
    }

    private func find(option: String, _ shape: SettingShape) throws(SettingsError) -> Finding? {
        let key = AbsoluteConfigKey([option])
        let variable = AbsoluteConfigKey(["bookstrack", option])
        if let text = Self.text(try? commandLine.value(forKey: key, type: .stringArray)) {
            return Finding(text: text, source: .commandLine)
        }
        if let text = Self.text(try? environment.value(forKey: variable, type: .string)) {
            return Finding(text: text, source: .environment)
        }
        return try file?.find(key, shape)
    }

    /// The text of what a provider found. An empty one counts as absent: compose files pass unset variables as empty ones.
    ///
    /// The command line is asked for a list, because its provider cuts every value at commas.
    static func text(_ result: LookupResult?) -> String? {
        let text: String? =
            switch result?.value?.content {
            case .string(let text): text
            case .int(let number): String(number)
            case .double(let number): String(number)
            case .bool(let truth): truth ? "on" : "off"
            case .stringArray(let texts): texts.joined(separator: ",")
            default: nil
            }
        return text?.isEmpty == true ? nil : text
    }
}
