import SuiteMethods

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
