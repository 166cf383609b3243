/// The text of a service's `--help`: every setting with its option, variable, meaning, default, unit, effective value and the source of that value
/// (configuration.md).
package struct SettingsHelp {
    let program: String
    let abstract: String
    /// The effective settings; an error explains why no service would start.
    let settings: Result<Settings, SettingsError>

    package init(program: String, abstract: String, settings: Result<Settings, SettingsError>) {
        self.program = program
        self.abstract = abstract
        self.settings = settings
    }

    package var text: String {
        (head + entries + tail).joined(separator: "\n")
    }

    private var head: [String] {
        let lines = [
            abstract, "", "Usage: \(program) [--OPTION VALUE]…", "",
            "A value comes from the command line, else the environment, else the file specified by BOOKSTRACK_CONFIG_FILE,",
            "else the default. Secrets can also be read from a file: add -file to the option or _FILE to the variable.",
            "",
        ]
        guard case .failure(let error) = settings else { return lines }
        return lines + ["No service can start with these settings, so no values are shown: \(error)", ""]
    }

    private var entries: [String] {
        let effective = (try? settings.get().effective) ?? []
        return SettingCatalog.all.enumerated().flatMap { index, setting in
            let unit = setting.unit.map { " \($0)" } ?? ""
            let lines = [
                "  --\(setting.option)  (\(setting.name))",
                "      \(setting.meaning). Default: \(setting.fallback.isEmpty ? "none" : setting.fallback + unit)",
            ]
            guard effective.indices.contains(index) else { return lines }
            let value = effective[index].value
            return lines + ["      Now: \(value.isEmpty ? "none" : value + unit) (\(effective[index].source))"]
        }
    }

    private var tail: [String] {
        [
            "", "  --help     Show this text", "  --version  Show the version", "",
            "Exit status: " + ExitCode.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; "),
        ]
    }
}
