/// Every setting of the suite, in the order of help and `bookstrack config`.
enum SettingCatalogue {
    static let all: [SettingDeclaration] = process + http + rateLimits + jobs + providers + cache + commandLine

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
