/// The text of a service's `--help`: every setting with its option, variable, default, unit and meaning.
package enum SettingsHelp {
    package static func text(program: String, abstract: String) -> String {
        var lines = [
            abstract, "", "Usage: \(program) [--OPTION VALUE]…", "",
            "A value comes from the command line, else the environment, else the file that BOOKSTRACK_CONFIG_FILE names,",
            "else the default. Secrets can also be read from a file: add -file to the option or _FILE to the variable.",
            "",
        ]
        for setting in SettingCatalogue.all {
            let fallback = setting.fallback.isEmpty ? "none" : setting.fallback
            let unit = setting.unit.map { " \($0)" } ?? ""
            lines.append("  --\(setting.option)  (\(setting.name))")
            lines.append("      \(setting.meaning). Default: \(fallback)\(unit)")
        }
        lines += ["", "  --help     Shows this text", "  --version  Shows the version", ""]
        lines += ["Exit status: " + ExitCode.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ")]
        return lines.joined(separator: "\n")
    }
}
