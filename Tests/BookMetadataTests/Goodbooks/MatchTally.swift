import BookMetadata
import BookstrackContract

/// Counts the verdicts of many title searches.
struct MatchTally: CustomStringConvertible {
    private var right = 0
    private var wrong = 0
    private var forReview = 0
    private var notFound = 0
    /// Number of searches whose candidates include the book.
    private(set) var asked = 0
    private var searches = 0
    /// Verified candidates that are a different book.
    private(set) var confusions: [String] = []
    /// Books that were among the candidates, if no candidate was verified.
    private(set) var misses: [String] = []

    /// - Parameter expected: `nil` if the book is not among the candidates.
    mutating func add(_ verdict: MatchVerdict, of query: BookQuery, expected: BookCandidate?) {
        searches += 1
        if expected != nil { asked += 1 }
        switch verdict {
        case .verified(let match, _) where match.candidate == expected: right += 1
        case .verified(let match, _):
            wrong += 1
            confusions.append("\(query.displayTitle) by \(query.author ?? "-") → \(match.candidate.title ?? "-")")
        case .needsReview(let match):
            forReview += expected == nil ? 0 : 1
            if expected != nil { misses.append("\(query.displayTitle): \(match.explanation)") }
        case .notFound(let candidates):
            notFound += expected == nil ? 0 : 1
            if expected != nil { misses.append("\(query.displayTitle): \(candidates.first?.explanation ?? "-")") }
        }
    }

    /// Share of verified candidates that are the requested book.
    var precision: Double { Double(right) / Double(max(1, right + wrong)) }

    /// Share of searches, among those whose candidates include the book, that verified it.
    var recall: Double { Double(right) / Double(max(1, asked)) }

    /// Share of all searches that verified a different book.
    var wrongShare: Double { Double(wrong) / Double(max(1, searches)) }

    /// Counts and shares for tables.
    var figures: String {
        "\(searches) searches, right \(right) (\(Self.percent(recall))), wrong \(wrong) (\(Self.percent(wrongShare))), "
            + "for review \(forReview), not found \(notFound)"
    }

    var description: String {
        "verified right \(right), wrong \(wrong), for review \(forReview), not found \(notFound); "
            + "precision \(Self.percent(precision)) (≥ 99.5), recall \(Self.percent(recall)) (≥ 90)"
    }

    private static func percent(_ share: Double) -> String { "\((share * 10_000).rounded() / 100) %" }
}
