import Foundation

/// The effective settings of a process: command line over environment over file over defaults (configuration.md).
///
/// ```swift
/// let settings = try Settings.load(arguments: ["--http-port", "9000"], environment: [:])
/// settings[.httpPort]  // 9000
/// ```
///
/// They never show themselves, since secrets are among them.
package struct Settings: Sendable, CustomStringConvertible, CustomReflectable {
    /// Texts of the settings that some layer has, by name; each was parsed once when it was loaded.
    let found: [String: SettingLayers.Finding]
    /// Remarks to be logged at the start, for example about misspelled variables.
    package let warnings: [String]

    /// Reads all layers and checks every value. `arguments` are without the program's name.
    package static func load(
        arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SettingsError) -> Settings {
        try checkOptions(of: arguments)
        var layers = SettingLayers(arguments: arguments, environment: environment)
        let unknownKeys = try layers.readFile()
        var found: [String: SettingLayers.Finding] = [:]
        for setting in SettingCatalogue.all {
            guard let finding = try layers.find(setting) else { continue }
            do {
                _ = try setting.check(finding.text)
            } catch {
                throw .badValue(
                    name: setting.name, shown: setting.isSecret || error.hidesValue ? Secret.mask : finding.text,
                    source: finding.source, problem: error.text)
            }
            found[setting.name] = finding
        }
        let remarks = misspellings(in: environment) + unknownKeys.map { "unknown key \"\($0)\" in the file" }
        let settings = Settings(found: found, warnings: remarks)
        try settings.checkContradictions()
        return settings
    }

    package var description: String { "settings" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The value of a setting.
    package subscript<Value>(key: SettingKey<Value>) -> Value {
        guard let text = found[key.name]?.text, let value = try? key.kind.parse(text) else { return key.fallback }
        return value
    }

    private func checkContradictions() throws(SettingsError) {
        if self[.tokenRefreshWindow] > self[.tokenTTL] {
            throw .contradiction("BOOKSTRACK_TOKEN_REFRESH_WINDOW_SECONDS must not exceed BOOKSTRACK_TOKEN_TTL_SECONDS")
        }
    }

    private static func checkOptions(of arguments: [String]) throws(SettingsError) {
        var waiting: String?
        for argument in arguments {
            if let option = waiting {
                guard !argument.isEmpty, !argument.hasPrefix("--") else { throw .missingValue(option) }
                waiting = nil
                continue
            }
            guard argument.hasPrefix("--") else { throw .unexpectedArgument(argument) }
            let option = String(argument.prefix { $0 != "=" })
            guard SettingCatalogue.knownOptions.contains(String(option.dropFirst(2))) else {
                throw .unknownOption(option)
            }
            guard argument != option + "=" else { throw .missingValue(option) }
            waiting = argument == option ? option : nil
        }
        if let waiting { throw .missingValue(waiting) }
    }

    private static func misspellings(in environment: [String: String]) -> [String] {
        environment.keys.sorted().filter {
            $0.hasPrefix(SettingDeclaration.prefix) && !SettingCatalogue.knownVariables.contains($0)
        }.map { "unknown variable \($0)" }
    }
}
