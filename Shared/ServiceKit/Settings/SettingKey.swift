import SuiteMethods

/// One setting: its name, allowed values, default and meaning, declared once (configuration.md).
///
/// Keys are static members, so values are read as `settings[.httpPort]`.
package struct SettingKey<Value: Sendable>: Sendable {
    /// Name of the environment variable, for example "BOOKSTRACK_HTTP_PORT".
    package let name: String
    /// Parses and shows values.
    package let kind: SettingKind<Value>
    /// The value if none is given.
    package let fallback: Value
    /// A description for help texts and documents, without a final period.
    package let meaning: String
    /// The default in words, if it depends on something else.
    let fallbackNote: String?
    /// Variables shared with other programs, which are read if no layer has a value; the first one with a value is used.
    let commonVariables: [String]

    /// Declares a setting.
    package init(
        _ name: String, _ kind: SettingKind<Value>, default fallback: Value, note: String? = nil,
        orElse commonVariables: [String] = [], _ meaning: String
    ) {
        self.name = name
        self.kind = kind
        self.fallback = fallback
        self.meaning = meaning
        fallbackNote = note
        self.commonVariables = commonVariables
    }

    /// The declaration without its value type, for lists.
    var declaration: SettingDeclaration {
        SettingDeclaration(
            name: name, unit: kind.unit, meaning: meaning, isSecret: kind.isSecret, shape: kind.shape,
            fallback: fallbackNote ?? kind.show(fallback), commonVariables: commonVariables,
            parse: { text throws(SettingProblem) in
                let value = try kind.parse(try Self.line(text))
                return ParsedSetting(value: value, shown: kind.show(value))
            })
    }

    /// Checks that a string is a single line. Settings become header fields and log lines, in which a line break would start a new field or line
    /// (RFC 9110 §5.5).
    private static func line(_ text: String) throws(SettingProblem) -> String {
        guard !text.unicodeScalars.contains(where: TerminalText.isUnsafe) else {
            throw SettingProblem("must be one line without control characters")
        }
        return text
    }
}

/// A `SettingKey` without its value type, for lists, help and the layers.
struct SettingDeclaration: Sendable {
    /// Prefix of the settings' own variables.
    static let prefix = "BOOKSTRACK_"

    let name: String
    let unit: String?
    let meaning: String
    let isSecret: Bool
    let shape: SettingShape
    /// The default as shown.
    let fallback: String
    /// See ``SettingKey/commonVariables``.
    let commonVariables: [String]
    let parse: @Sendable (String) throws(SettingProblem) -> ParsedSetting

    /// Name in kebab case without the prefix: the key in the file and, after two dashes, the command-line option.
    var option: String { Self.option(ofVariable: name) }

    static func variable(ofOption option: String) -> String {
        prefix + option.uppercased().replacing("-", with: "_")
    }

    static func option(ofVariable name: String) -> String {
        name.dropFirst(prefix.count).lowercased().split(separator: "_").joined(separator: "-")
    }
}

/// The value of a setting, without its type in the program.
struct ParsedSetting: Sendable {
    /// The value, of the type of the setting's ``SettingKey``; there is one key per name.
    let value: any Sendable
    /// The text for the value, masked if secret.
    let shown: String
}

/// All settings, in the order of help and `bookstrack config`.
enum SettingCatalog {
    static let all: [SettingDeclaration] =
        process + http + console + uploads + rateLimits + jobs + webhooks + providers + engines + cache + commandLine

    /// The services that use a setting. If their values differ, `bookstrack doctor` examines that of the first one.
    static func readers(of name: String) -> [ServiceName] { readersByName[name] ?? [] }

    private static let readersByName: [String: [ServiceName]] = {
        var readers: [String: [ServiceName]] = [:]
        let all: [ServiceName] = [.apiProxy, .progressHost, .enrichmentWorker]
        let groups: [([SettingDeclaration], [ServiceName])] = [
            (process, all), (http, [.apiProxy]), (console, [.apiProxy]), (uploads, [.apiProxy]),
            (rateLimits, [.apiProxy]),
            (jobs, [.progressHost]), (webhooks, [.enrichmentWorker]),
            (providers, [.enrichmentWorker]), (engines, [.enrichmentWorker]), (cache, [.enrichmentWorker]),
        ]
        for (settings, services) in groups { for setting in settings { readers[setting.name] = services } }
        readers[SettingKey.legacyTokenless.name] = [.progressHost]
        readers[SettingKey.maxBatchBooks.name] = [.apiProxy, .enrichmentWorker]
        readers[SettingKey.maxImportRows.name] = [.enrichmentWorker]
        readers[SettingKey.maxUploadBytesTotal.name] = [.apiProxy, .progressHost]
        readers[SettingKey.webhookHosts.name] = [.apiProxy, .enrichmentWorker]
        readers[SettingKey.workerName.name] = [.enrichmentWorker]
        return readers
    }()

    /// Variables of builds and tests that are not settings.
    static let others: Set<String> = [
        "BOOKSTRACK_TEST_DATA", "BOOKSTRACK_WARNINGS_AS_ERRORS",
    ]

    /// Known environment variables: those of settings, those for secret files, and those of builds and tests. Others with the prefix cause a warning.
    static let knownVariables: Set<String> = others.union(
        all.flatMap { $0.isSecret ? [$0.name, $0.name + "_FILE"] : [$0.name] })

    /// Known options, which are also the keys of the file. An unknown option is an error; an unknown key causes a warning.
    static let knownOptions: Set<String> = Set(
        all.flatMap { $0.isSecret ? [$0.option, $0.option + "-file"] : [$0.option] })
}
