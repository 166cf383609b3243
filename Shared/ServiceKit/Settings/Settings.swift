import Foundation
package import JSONRPC
import Observability
package import SuiteMethods

/// The effective settings of a process: the command line takes precedence over the environment, then the file, then the defaults (configuration.md).
///
/// ```swift
/// let settings = try Settings.load(arguments: ["--http-port", "9000"], environment: [:])
/// settings[.httpPort]  // 9000
/// ```
///
/// Their description contains no values, since some of them are secret.
package struct Settings: Sendable, CustomStringConvertible, CustomReflectable {
    /// The settings that were given a value, by name; the others have their defaults.
    private let found: [String: FoundSetting]
    /// Warnings to be logged at startup, for example about misspelled variables.
    package let warnings: [String]

    /// Reads all layers and checks every value. `arguments` does not include the program's name.
    package static func load(
        arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SettingsError) -> Settings {
        var layers = try SettingLayers(arguments: arguments, environment: environment)
        let unknownKeys = try layers.readFile()
        var found: [String: FoundSetting] = [:]
        for setting in SettingCatalog.all {
            guard let given = try layers.find(setting) else { continue }
            do {
                found[setting.name] = FoundSetting(parsed: try setting.parse(given.text), source: given.source)
            } catch {
                throw .badValue(
                    name: setting.name, shown: setting.isSecret || error.hidesValue ? Secret.mask : given.text,
                    source: given.source, problem: error.text)
            }
        }
        let remarks = misspellings(in: environment) + unknownKeys.map { "unknown key \"\($0)\" in the file" }
        let settings = Settings(found: found, warnings: remarks)
        try settings.checkContradictions()
        return settings
    }

    package var description: String { "settings" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The value of a setting, or else its default.
    package subscript<Value>(key: SettingKey<Value>) -> Value {
        found[key.name]?.parsed.value as? Value ?? key.fallback
    }

    private func checkContradictions() throws(SettingsError) {
        if self[.tokenRefreshWindow] > self[.tokenTTL] {
            throw .contradiction("BOOKSTRACK_TOKEN_REFRESH_WINDOW_SECONDS must not exceed BOOKSTRACK_TOKEN_TTL_SECONDS")
        }
        if self[.maxUploadBytesTotal] / 2 < self[.maxImportBytes] {
            throw .contradiction("BOOKSTRACK_MAX_UPLOAD_BYTES_TOTAL must be at least twice BOOKSTRACK_MAX_IMPORT_BYTES")
        }
    }

    private static func misspellings(in environment: [String: String]) -> [String] {
        environment.keys.sorted().filter {
            $0.hasPrefix(SettingDeclaration.prefix) && !SettingCatalog.knownVariables.contains($0)
        }.map { "unknown variable \($0)" }
    }
}

extension Settings {
    /// Every effective setting and its source, with secrets masked.
    package var effective: [EffectiveSetting] {
        SettingCatalog.all.map { setting in
            let given = found[setting.name]
            return EffectiveSetting(
                name: setting.name, option: "--" + setting.option,
                value: given?.parsed.shown ?? computedFallback(of: setting.name) ?? setting.fallback,
                source: given?.source ?? .fallback, unit: setting.unit, fallback: setting.fallback,
                meaning: setting.meaning, isSecret: setting.isSecret,
                readers: SettingCatalog.readers(of: setting.name))
        }
    }

    /// The default of a setting, if it is computed from other settings or the state of the machine; otherwise nil.
    private func computedFallback(of name: String) -> String? {
        let directories = try? SuiteDirectories(self)
        return switch name {
        case SettingKey.runtimeDirectory.name: directories?.runtime
        case SettingKey.dataDirectory.name: directories?.storage
        case SettingKey.shelfReaderSocket.name: directories?.shelfReaderSocket
        case SettingKey.maxConnections.name: String(maxConnections)
        case SettingKey.maxConnectionsPerAddress.name: String(maxConnectionsPerAddress)
        case SettingKey.openLibraryRate.name: SettingKind.ratePerSecond.show(openLibraryRequestsPerSecond)
        case SettingKey.wikidataRate.name: SettingKind.ratePerSecond.show(wikidataRequestsPerSecond)
        case SettingKey.contact.name: providerContact
        default: nil
        }
    }
}

/// A value and its source.
private struct FoundSetting {
    let parsed: ParsedSetting
    let source: SettingSource
}

/// One row of `bookstrack config`.
package struct EffectiveSetting: Sendable, Equatable {
    /// Name of the environment variable.
    package let name: String
    /// The command-line option.
    package let option: String
    /// The effective value, masked if secret.
    package let value: String
    /// Where the value comes from.
    package let source: SettingSource
    /// Unit of the number, if it has one.
    package let unit: String?
    /// The default; a description if it depends on something else.
    package let fallback: String
    /// See ``SettingKey/meaning``.
    package let meaning: String
    /// Whether the value must not be shown.
    package let isSecret: Bool
    /// The services that use the setting; none if only the command `bookstrack` uses it.
    package let readers: [ServiceName]
}

/// Where a setting's value comes from (configuration.md).
package enum SettingSource: Sendable, Equatable, CustomStringConvertible {
    case commandLine
    case environment
    /// The configuration file at this path.
    case file(String)
    /// A secret from the file at this path, specified by `…_FILE`.
    case secretFile(String)
    /// The source as reported by another process.
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

extension Settings {
    /// All settings with their defaults, in the order of the declarations.
    package static var declared: [EffectiveSetting] { Settings(found: [:], warnings: []).effective }

    /// All settings in the form sent to another process, without secrets.
    package var reported: [ReadSettings.Setting] {
        effective.map { setting in
            ReadSettings.Setting(
                name: setting.name, value: setting.isSecret ? setting.secretState : setting.value,
                source: "\(setting.source)", isDefault: setting.source == .fallback)
        }
    }

    /// The settings reported by another process. A secret that is set there has only a placeholder here; unknown settings are omitted.
    package init(reported: [ReadSettings.Setting]) {
        let known = Dictionary(
            SettingCatalog.all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let found = reported.compactMap { setting -> (String, FoundSetting)? in
            guard !setting.isDefault, let parsed = try? known[setting.name]?.parse(setting.value) else { return nil }
            return (setting.name, FoundSetting(parsed: parsed, source: .reported(setting.source)))
        }
        self.init(found: Dictionary(found, uniquingKeysWith: { first, _ in first }), warnings: [])
    }
}

extension EffectiveSetting {
    /// Whether a secret is set, in words.
    package var secretState: String {
        value.isEmpty ? ReadSettings.Setting.secretIsNotSet : ReadSettings.Setting.secretIsSet
    }
}

extension RPCRouter {
    /// Answers `ReadSettings` with the settings that were read at startup.
    package mutating func answerSettings(of service: ServiceName, _ settings: [ReadSettings.Setting]) {
        let startedAt = Activity.now
        handle(ReadSettings.self) { _, _ in
            ReadSettings.Result(service: service, startedAt: startedAt, settings: settings)
        }
    }
}
