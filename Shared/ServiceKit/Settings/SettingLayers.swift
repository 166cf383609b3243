import Foundation

/// The layers of settings: command line, environment, file.
struct SettingLayers {
    /// Maximum size of a secret's file in bytes: 64 KiB.
    private static let maxSecretFileBytes = 65_536
    /// The options by name, without the leading dashes.
    private let options: [String: String]
    private let variables: [String: String]
    private var file: SettingsFile?

    /// The text of a setting, and the layer that it comes from.
    struct GivenText {
        var text: String
        var source: SettingSource
    }

    init(arguments: [String], environment variables: [String: String]) throws(SettingsError) {
        options = try Self.options(in: arguments)
        self.variables = variables
    }

    /// The values of `--OPTION VALUE` and `--OPTION=VALUE`; the values of an option that is given several times become a list.
    private static func options(in arguments: [String]) throws(SettingsError) -> [String: String] {
        var values: [String: [String]] = [:]
        var waiting: String?
        for argument in arguments {
            if let option = waiting {
                guard !argument.isEmpty, !argument.hasPrefix("--") else { throw .missingValue(option) }
                values[option, default: []].append(argument)
                waiting = nil
                continue
            }
            guard argument.hasPrefix("--") else { throw .unexpectedArgument(argument) }
            let option = String(argument.prefix { $0 != "=" })
            guard SettingCatalog.knownOptions.contains(String(option.dropFirst(2))) else {
                throw .unknownOption(option)
            }
            guard argument != option else {
                waiting = option
                continue
            }
            guard argument != option + "=" else { throw .missingValue(option) }
            values[option, default: []].append(String(argument.dropFirst(option.count + 1)))
        }
        if let waiting { throw .missingValue(waiting) }
        return Dictionary(
            uniqueKeysWithValues: values.map { (String($0.key.dropFirst(2)), $0.value.joined(separator: ",")) })
    }

    /// Reads the configuration file specified by the other layers, or the default one. Returns its unknown keys.
    mutating func readFile() throws(SettingsError) -> [String] {
        file = try SettingsFile.read(
            asked: find(option: SettingKey.configFile.declaration.option, .text)?.text)
        return file?.unknownKeys ?? []
    }

    /// The text of the first layer that has one, or else of a variable shared with other programs; nil if there is none. A secret may come from the
    /// file specified by `…_FILE` instead; an empty file counts as absent, because containers mount optional secrets even if they are empty.
    func find(_ setting: SettingDeclaration) throws(SettingsError) -> GivenText? {
        let direct = try find(option: setting.option, setting.shape)
        guard setting.isSecret, let named = try find(option: setting.option + "-file", .text),
            let secret = try secret(in: named.text, for: setting)
        else { return direct ?? common(setting) }
        guard direct == nil else { throw .secretGivenTwice(name: setting.name) }
        return secret
    }

    /// The value of a variable shared with other programs; nil if there is none.
    private func common(_ setting: SettingDeclaration) -> GivenText? {
        let text = setting.commonVariables.lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
        return text.map { GivenText(text: $0, source: .environment) }
    }

    private func secret(in path: String, for setting: SettingDeclaration) throws(SettingsError) -> GivenText? {
        let bytes: Data
        do {
            // This also reads `/dev/null`, which `String(contentsOf:)` rejects.
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            bytes = try file.read(upToCount: Self.maxSecretFileBytes + 1) ?? Data()
        } catch {
            throw .unreadableFile(path: path, reason: "it should contain the value of \(setting.name)")
        }
        guard bytes.count <= Self.maxSecretFileBytes else {
            throw .unreadableFile(path: path, reason: "it is larger than 64 KiB, too large for \(setting.name)")
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : GivenText(text: text, source: .secretFile(path))
    }

    /// The text of the first layer with this option; nil if there is none. An empty string counts as absent: compose files pass unset variables as
    /// empty strings.
    private func find(option: String, _ shape: SettingShape) throws(SettingsError) -> GivenText? {
        if let text = options[option] { return GivenText(text: text, source: .commandLine) }
        if let text = variables[SettingDeclaration.variable(ofOption: option)], !text.isEmpty {
            return GivenText(text: text, source: .environment)
        }
        guard let file, let text = try file.text(of: option, shape), !text.isEmpty else { return nil }
        return GivenText(text: text, source: .file(file.path))
    }
}

/// The optional JSON file of settings: one flat object whose keys are the options without the leading dashes.
struct SettingsFile {
    static let defaultPath = "/etc/bookstrack/config.json"

    let path: String
    private let values: [String: Value]

    /// Reads the file at `asked`, or else at ``defaultPath``. Returns nil if there is no file at the default path; throws on any other problem.
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
            return SettingsFile(path: path, values: try JSONDecoder().decode([String: Value].self, from: bytes))
        } catch {
            throw .malformedFile(path: path, reason: reasonText(error))
        }
    }

    /// Keys that do not belong to a setting.
    var unknownKeys: [String] { values.keys.filter { !SettingCatalog.knownOptions.contains($0) }.sorted() }

    /// The text of a key; nil if the file does not contain it. A value may have the type of its shape or be a string, and an integer may stand for a
    /// number or a Boolean value; any other type throws.
    func text(of key: String, _ shape: SettingShape) throws(SettingsError) -> String? {
        switch (values[key], shape) {
        case (nil, _): return nil
        case (.text(let text), _): return text
        case (.integer(let number), .integer), (.integer(let number), .number), (.integer(let number), .truth):
            return String(number)
        case (.number(let number), .number): return String(number)
        case (.truth(let truth), .truth): return truth ? "on" : "off"
        case (.list(let texts), .list): return texts.joined(separator: ",")
        case (.object, _): throw .malformedFile(path: path, reason: "\"\(key)\" is an object")
        default: throw .malformedFile(path: path, reason: "\"\(key)\" has a value of the wrong type")
        }
    }

    private static func reasonText(_ error: any Error) -> String {
        switch error {
        case let error as CocoaError where error.code == .fileReadNoSuchFile: "no such file"
        case let error as CocoaError where error.code == .fileReadNoPermission: "permission denied"
        case DecodingError.typeMismatch: "it must be one JSON object"
        case is DecodingError: "it is not valid JSON"
        default: String(describing: error)
        }
    }

    private enum Value: Decodable {
        case text(String)
        case integer(Int)
        case number(Double)
        case truth(Bool)
        case list([String])
        case object
        /// Null, and lists of anything but strings.
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let truth = try? container.decode(Bool.self) {
                self = .truth(truth)
            } else if let number = try? container.decode(Int.self) {
                self = .integer(number)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let texts = try? container.decode([String].self) {
                self = .list(texts)
            } else {
                self = (try? decoder.container(keyedBy: NoKey.self)) == nil ? .other : .object
            }
        }

        private enum NoKey: CodingKey {}
    }
}
