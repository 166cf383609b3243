import Configuration
import Foundation

/// The layers in which a setting's text is looked up: command line, environment, file.
struct SettingLayers {
    private let commandLine: CommandLineArgumentsProvider
    private let environment: EnvironmentVariablesProvider
    private var file: SettingsFile?

    /// A text and the layer that has it.
    struct Finding {
        var text: String
        var source: SettingSource
    }

    init(arguments: [String], environment variables: [String: String]) {
        commandLine = CommandLineArgumentsProvider(arguments: [""] + arguments)
        environment = EnvironmentVariablesProvider(environmentVariables: variables)
    }

    /// Reads the configuration file that the other layers name, or the default one. Returns its unknown keys.
    mutating func readFile() throws(SettingsError) -> [String] {
        file = try SettingsFile.read(asked: find(option: SettingKey.configFile.declaration.option, .text)?.text)
        return file?.unknownKeys ?? []
    }

    /// The strongest layer's text for a declaration; a secret may come from the file that `…_FILE` names.
    func find(_ setting: SettingDeclaration) throws(SettingsError) -> Finding? {
        let direct = find(option: setting.option, setting.shape)
        guard setting.isSecret, let named = find(option: setting.option + "-file", .text) else { return direct }
        guard direct == nil else { throw .secretGivenTwice(name: setting.name) }
        do {
            let text = try String(contentsOf: URL(filePath: named.text), encoding: .utf8)
            return Finding(
                text: text.trimmingCharacters(in: .whitespacesAndNewlines), source: .secretFile(named.text))
        } catch {
            throw .unreadableFile(path: named.text, reason: "it should hold \(setting.name)")
        }
    }

    /// An empty text counts as absent: compose files pass unset variables as empty ones.
    private func find(option: String, _ shape: SettingShape) -> Finding? {
        let key = AbsoluteConfigKey([option])
        let variable = AbsoluteConfigKey(["bookstrack", option])
        if let text = text(in: commandLine.snapshot(), key, .list) {
            return Finding(text: text, source: .commandLine)
        }
        if let text = text(in: environment.snapshot(), variable, .text) {
            return Finding(text: text, source: .environment)
        }
        if let file, let text = text(in: file.snapshot, key, shape) ?? text(in: file.snapshot, key, .text) {
            return Finding(text: text, source: .file(file.path))
        }
        return nil
    }

    /// The command line is asked for a list, because its provider cuts every value at commas.
    private func text(in snapshot: any ConfigSnapshot, _ key: AbsoluteConfigKey, _ shape: SettingShape) -> String? {
        let type: ConfigType =
            switch shape {
            case .text: .string
            case .integer: .int
            case .number: .double
            case .truth: .bool
            case .list: .stringArray
            }
        let text: String? =
            switch try? snapshot.value(forKey: key, type: type).value?.content {
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
