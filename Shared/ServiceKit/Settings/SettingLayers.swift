import Configuration
import Foundation

/// The layers of settings: command line, environment, file.
struct SettingLayers {
    /// Maximum number of bytes read from a secret's file.
    private static let longestSecretFile = 65_536
    private let commandLine: CommandLineArgumentsProvider
    private let environment: EnvironmentVariablesProvider
    private var file: SettingsFile?
    private let variables: [String: String]

    /// A text and its layer.
    struct Finding {
        var text: String
        var source: SettingSource
    }

    init(arguments: [String], environment variables: [String: String]) {
        commandLine = CommandLineArgumentsProvider(arguments: [""] + arguments)
        environment = EnvironmentVariablesProvider(environmentVariables: variables)
        self.variables = variables
    }

    /// Reads the configuration file named by the other layers, or the default one. Returns its unknown keys.
    mutating func readFile() throws(SettingsError) -> [String] {
        file = try SettingsFile.read(
            asked: find(option: SettingKey.configFile.declaration.option, .text)?.text)
        return file?.unknownKeys ?? []
    }

    /// The text of the strongest layer; a secret may come from the file that `…_FILE` names. An empty file counts as
    /// absent: containers mount optional secrets even if they are empty.
    func find(_ setting: SettingDeclaration) throws(SettingsError) -> Finding? {
        let direct = try find(option: setting.option, setting.shape)
        guard setting.isSecret, let named = try find(option: setting.option + "-file", .text),
            let secret = try secret(in: named.text, for: setting)
        else { return direct ?? common(setting) }
        guard direct == nil else { throw .secretGivenTwice(name: setting.name) }
        return secret
    }

    /// The value of a variable shared with other programs.
    private func common(_ setting: SettingDeclaration) -> Finding? {
        let text = setting.commonVariables.lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
        return text.map { Finding(text: $0, source: .environment) }
    }

    private func secret(in path: String, for setting: SettingDeclaration) throws(SettingsError) -> Finding? {
        do {
            // Also reads `/dev/null`, which `String(contentsOf:)` rejects.
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

    /// The text from a provider. An empty text counts as absent: compose files pass unset variables as empty ones.
    ///
    /// The command line is read as a list, because its provider splits every value at commas.
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

/// The optional JSON file of settings: one flat object whose keys are the options without the leading dashes.
struct SettingsFile {
    static let defaultPath = "/etc/bookstrack/config.json"

    let path: String
    let snapshot: JSONSnapshot
    /// Keys that do not belong to a setting.
    let unknownKeys: [String]

    /// Reads the file. A missing file is nil unless it was requested by name; any other problem throws.
    static func read(asked: String?) throws(SettingsError) -> SettingsFile? {
        let path = asked ?? defaultPath
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch CocoaError.fileReadNoSuchFile where asked == nil {
            return nil
        } catch {
            throw .unreadableFile(path: path, reason: reasonText(error))
        }
        do {
            let keys = try JSONDecoder().decode(TopLevelKeys.self, from: bytes).names
            let snapshot = try JSONSnapshot(
                data: Array(bytes).span.bytes, providerName: path, parsingOptions: .default)
            return SettingsFile(
                path: path, snapshot: snapshot,
                unknownKeys: keys.filter { !SettingCatalogue.knownOptions.contains($0) }.sorted())
        } catch {
            throw .malformedFile(path: path, reason: reasonText(error))
        }
    }

    /// The text of a key, which may have the type of its shape or be a string. A value of another type throws.
    func find(_ key: AbsoluteConfigKey, _ shape: SettingShape) throws(SettingsError) -> SettingLayers.Finding? {
        let type: ConfigType =
            switch shape {
            case .text: .string
            case .integer: .int
            case .number: .double
            case .truth: .bool
            case .list: .stringArray
            }
        do {
            let result =
                try (try? snapshot.value(forKey: key, type: type)) ?? snapshot.value(forKey: key, type: .string)
            return SettingLayers.text(result).map { .init(text: $0, source: .file(path)) }
        } catch {
            throw .malformedFile(path: path, reason: "\"\(key)\" has a value of the wrong type")
        }
    }

    private static func reasonText(_ error: any Error) -> String {
        switch error {
        case let error as CocoaError where error.code == .fileReadNoSuchFile: "no such file"
        case let error as CocoaError where error.code == .fileReadNoPermission: "permission denied"
        case DecodingError.typeMismatch: "it must be one JSON object"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty: context.debugDescription
        case is DecodingError: "it is not valid JSON"
        default: String(describing: error)
        }
    }

    private struct TopLevelKeys: Decodable {
        var names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            for key in container.allKeys
            where (try? container.nestedContainer(keyedBy: AnyKey.self, forKey: key)) != nil {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "\"\(key.stringValue)\" is an object")
            }
            names = container.allKeys.map(\.stringValue)
        }
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
