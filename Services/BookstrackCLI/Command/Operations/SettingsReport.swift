import ServiceKit
import SuiteMethods

/// The output of `bookstrack config`.
struct SettingsReport {
    /// The sources of the settings, in words.
    let origins: [String]
    let rows: [SettingsSurvey.Row]
    let installedFile: String?

    init(survey: SettingsSurvey) {
        (origins, rows, installedFile) = (survey.origins, survey.rows, survey.installedFile)
    }

    /// The settings of a process started with these options.
    init(previewing settings: Settings) {
        origins = ["preview: a service started from this environment with these options"]
        installedFile = nil
        let values = Dictionary(settings.reported.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        rows = Settings.declared.compactMap { declared in
            values[declared.name].map {
                .init(
                    setting: $0, declared: declared, origin: .environment, services: declared.readers.map(\.rawValue),
                    pending: nil)
            }
        }
    }

    func show(_ output: OutputOptions) throws {
        try output.show(csv: csv, document: rows.map(Document.init)) { text($0).map { $0 + "\n" }.joined() }
    }

    /// The sources, a row per setting, and what a restart would change.
    func text(_ style: OutputStyle) -> [String] {
        let head = origins.flatMap { TextWrap.lines($0, columns: style.width) }.map { style.paint($0, .faint) }
        return head + [""] + (style.width < Self.tableWidth ? sheet(style) : table.lines(style)) + changes(style)
    }

    /// On narrower terminals, four columns are too narrow to read.
    private static let tableWidth = 132

    /// At least two lines per setting: its name, value and source, and below these its meaning.
    private func sheet(_ style: OutputStyle) -> [String] {
        rows.flatMap { row in
            let source = row.setting.isDefault ? "" : " (\(source(of: row)))"
            let value = TextWrap.lines("\(row.shown)\(source)", columns: max(20, style.width - 4))
            let fits =
                DisplayWidth.of(row.setting.name) + 2 + DisplayWidth.of(value[0]) <= style.width && value.count == 1
            let meaning = row.pending == nil ? OutputMeaning.plain : .warning
            let head =
                fits
                ? ["\(row.setting.name)  \(style.paint(value[0], meaning))"]
                : [row.setting.name] + value.map { "    " + style.paint($0, meaning) }
            return head
                + TextWrap.lines(row.declared.meaning, columns: max(20, style.width - 4))
                .map { "    " + style.paint($0, .faint) }
        }
    }

    /// The source of the value, followed by the names of the processes with this value, unless all processes that use the setting have it.
    private func source(of row: SettingsSurvey.Row) -> String {
        let isOnly = rows.count { $0.setting.name == row.setting.name } == 1
        let isComplete = row.declared.readers.allSatisfy { reader in
            row.services.contains { $0.hasPrefix(reader.rawValue) }
        }
        return isOnly && isComplete
            ? row.setting.source : "\(row.setting.source) (\(row.services.joined(separator: ", ")))"
    }

    private func changes(_ style: OutputStyle) -> [String] {
        let file = installedFile ?? "the file"
        let changes = rows.compactMap { row in
            row.pending.map { value in
                "\(row.services.joined(separator: ", ")): \(row.setting.name) is \(row.shown) "
                    + "but \(value.isEmpty ? "not set" : value) in \(file); restart to apply"
            }
        }
        return changes.isEmpty
            ? [] : [""] + changes.flatMap { TextWrap.lines($0, columns: style.width) }.map { style.paint($0, .warning) }
    }

    private var table: TextTable {
        TextTable(
            columns: [.init("Setting"), .init("Value", .prose), .init("From", .prose), .init("Meaning", .prose)],
            rows: rows.map { row in
                [
                    .init(row.setting.name), .init(row.shown, row.setting.isDefault ? .plain : .heading),
                    .init(source(of: row), row.pending == nil ? .plain : .warning), .init(row.declared.meaning, .faint),
                ]
            })
    }

    private var csv: TextTable {
        let columns = [
            "name", "option", "value", "source", "origin", "services", "installed", "unit", "default", "meaning",
        ]
        return TextTable(
            columns: columns.map { .init($0) },
            rows: rows.map { row in
                [
                    row.setting.name, row.declared.option, row.setting.value, row.setting.source, row.origin.rawValue,
                    row.services.joined(separator: " "), row.pending ?? "", row.declared.unit ?? "",
                    row.declared.fallback, row.declared.meaning,
                ]
            })
    }

    /// A setting in JSON.
    private struct Document: Encodable {
        var name: String
        var option: String
        var value: String
        var source: String
        var origin: SettingsSurvey.Origin
        var services: [String]
        /// The installed value, if it differs from the current one; a restart applies it.
        var installed: String?
        var unit: String?
        var `default`: String
        var meaning: String

        init(_ row: SettingsSurvey.Row) {
            name = row.setting.name
            option = row.declared.option
            value = row.setting.value
            source = row.setting.source
            origin = row.origin
            services = row.services
            installed = row.pending
            unit = row.declared.unit
            `default` = row.declared.fallback
            meaning = row.declared.meaning
        }
    }
}

extension SettingsSurvey.Row {
    /// The value with its unit; "-" if empty.
    fileprivate var shown: String {
        guard !setting.value.isEmpty else { return "-" }
        return declared.unit.map { "\(setting.value) \($0)" } ?? setting.value
    }
}
