import SuiteMethods

/// One setting: its name, what it may hold, its default and what it means, declared once (configuration.md).
///
/// The keys are static members, so that a value is read as `settings[.httpPort]`.
package struct SettingKey<Value: Sendable>: Sendable {
    /// Name of the environment variable, for example "BOOKSTRACK_HTTP_PORT".
    package let name: String
    /// How a text becomes a value.
    package let kind: SettingKind<Value>
    /// The value when no layer has one.
    package let fallback: Value
    /// What it means, in words.
    package let meaning: String
    /// The default in words, where it depends on something else.
    let fallbackNote: String?
    /// Variables that other programs share with this one, read where no layer has a value; the first one counts.
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

    /// The declaration without its type, for lists.
    var declaration: SettingDeclaration {
        SettingDeclaration(
            name: name, unit: kind.unit, meaning: meaning, isSecret: kind.isSecret, shape: kind.shape,
            fallback: fallbackNote ?? kind.show(fallback), commonVariables: commonVariables,
            check: { text throws(SettingProblem) in kind.show(try kind.parse(try Self.line(text))) })
    }

    /// Settings become fields of requests and lines of a log, where a line end would begin another (RFC 9110 §5.5).
    private static func line(_ text: String) throws(SettingProblem) -> String {
        guard !text.unicodeScalars.contains(where: TerminalText.isUnsafe) else {
            throw SettingProblem("must be one line without control characters")
        }
        return text
    }
}

/// A `SettingKey` without its type, as lists, help and the layers need it.
struct SettingDeclaration: Sendable {
    /// Start of every variable of the suite.
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
    /// Parses a text and shows the value it stands for.
    let check: @Sendable (String) throws(SettingProblem) -> String

    /// Name in kebab case without the prefix: the key in the file and, after two dashes, the command-line option.
    var option: String { Self.option(ofVariable: name) }

    static func option(ofVariable name: String) -> String {
        name.dropFirst(prefix.count).lowercased().split(separator: "_").joined(separator: "-")
    }
}

/// Every setting of the suite, in the order of help and `bookstrack config`.
enum SettingCatalogue {
    static let all: [SettingDeclaration] = process + http + rateLimits + jobs + providers + cache + commandLine

    /// The services that use a setting, with the service that counts for `bookstrack config` first.
    static func readers(of name: String) -> [ServiceName] { readersByName[name] ?? [] }

    private static let readersByName: [String: [ServiceName]] = {
        var readers: [String: [ServiceName]] = [:]
        let all: [ServiceName] = [.apiProxy, .progressHost, .enrichmentWorker]
        let groups: [([SettingDeclaration], [ServiceName])] = [
            (process, all), (http, [.apiProxy]), (rateLimits, [.apiProxy]), (jobs, [.progressHost]),
            (providers, [.enrichmentWorker]), (cache, [.enrichmentWorker]),
        ]
        for (settings, services) in groups { for setting in settings { readers[setting.name] = services } }
        readers[SettingKey.legacyTokenless.name] = [.progressHost]
        readers[SettingKey.maxBatchBooks.name] = [.apiProxy, .enrichmentWorker]
        readers[SettingKey.workerName.name] = [.enrichmentWorker]
        return readers
    }()

    /// Variables that are no settings but belong to the suite's build and tests.
    static let others: Set<String> = [
        "BOOKSTRACK_TEST_DATA", "BOOKSTRACK_WARNINGS_AS_ERRORS",
    ]

    /// Names that may appear in the environment: settings, secrets' files, and the build's own variables.
    static let knownVariables: Set<String> = others.union(
        all.flatMap { $0.isSecret ? [$0.name, $0.name + "_FILE"] : [$0.name] })

    /// Names that may appear as options and in the file.
    static let knownOptions: Set<String> = Set(
        all.flatMap { $0.isSecret ? [$0.option, $0.option + "-file"] : [$0.option] })
}
