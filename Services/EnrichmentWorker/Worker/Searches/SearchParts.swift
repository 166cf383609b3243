import BookMetadata
import BookstrackContract

/// Everything that the providers said to one search.
struct SearchParts: Sendable {
    private var parts: [SearchPart]

    init(_ parts: [SearchPart]) { self.parts = parts }

    mutating func add(_ part: SearchPart) { parts.append(part) }

    var works: [WorkRecord] { parts.flatMap(\.records.works) }

    func editions(of provider: ProviderName) -> [EditionRecord] {
        parts.filter { $0.question.provider == provider }.flatMap(\.records.editions)
    }

    var workPage: WorkPage {
        WorkPage(total: total(of: .openLibrary), works: works)
    }

    func editionPage(of provider: ProviderName) -> EditionPage {
        EditionPage(total: total(of: provider), editions: editions(of: provider))
    }

    /// The result with what is to be said about it.
    ///
    /// - Throws: ``SearchFailure`` when no provider answered.
    func findings<Results: Sendable>(
        _ results: Results, provider: DataProvider?
    ) throws(SearchFailure) -> SearchFindings<Results> {
        let answers = parts.filter { $0.failure == nil }
        let failures = parts.compactMap(\.failure)
        guard !answers.isEmpty else { throw SearchFailure(failures, reports: reports) }
        let failure = failures.isEmpty ? nil : SearchFailure(failures, reports: reports)
        return SearchFindings(
            results: results, provider: provider,
            age: answers.compactMap(\.age).max().flatMap { age in
                answers.allSatisfy { $0.age != nil } ? age : nil
            },
            freshFor: failure == nil ? answers.map(\.freshFor).min() ?? .zero : .zero,
            isStale: answers.contains(where: \.isStale), failure: failure)
    }

    /// How each provider's part ended: by its failure if one of its questions failed.
    private var reports: [ProviderReport] {
        ProviderName.allCases.compactMap { name in
            let asked = parts.filter { $0.question.provider == name }
            guard let provider = name.bookProvider, let longest = asked.map(\.duration).max() else { return nil }
            let failure = asked.lazy.compactMap(\.failure).first
            let found: ProviderReport.Outcome = asked.allSatisfy(\.records.isEmpty) ? .notFound : .ok
            return ProviderReport(
                provider: provider, outcome: failure?.outcome ?? found,
                durationMs: Int(longest / .milliseconds(1)))
        }
    }

    private func total(of provider: ProviderName) -> Int {
        parts.filter { $0.question.provider == provider }.compactMap(\.records.total).max() ?? 0
    }
}
