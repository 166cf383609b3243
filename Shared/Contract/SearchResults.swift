/// `data` of the three searches (http-api.md "Searches" and "Routes").
///
/// `editions[i]` belongs to `works[i]`, because shipped clients pair them by index; further editions follow after the paired ones.
/// Authors are unique by name, in the order of their first mention; `works` contain no authors.
public struct SearchResults: Codable, Sendable, Equatable {
    /// The works that were found, best first; at most 20.
    public var works: [WorkDTO]
    /// One edition per work in the same order, then further editions.
    public var editions: [EditionDTO]
    /// The authors of all `works`.
    public var authors: [AuthorDTO]
    /// Total results, as reported by the provider with the most.
    public var totalResults: Int
    /// Number of `works`.
    public var resultCount: Int
    /// Why each work has its rank; only for a search by title that requests it.
    public var matching: MatchReport?

    /// No results.
    public static let none = SearchResults(works: [], editions: [], authors: [], totalResults: 0)

    /// Creates an answer; the total is at least the number of works.
    public init(
        works: [WorkDTO], editions: [EditionDTO], authors: [AuthorDTO], totalResults: Int, matching: MatchReport? = nil
    ) {
        self.works = works
        self.editions = editions
        self.authors = authors
        self.totalResults = max(totalResults, works.count)
        resultCount = works.count
        self.matching = matching
    }
}

/// `data` of `GET /v1/editions/search` (http-api.md "Routes").
public struct EditionResults: Codable, Sendable, Equatable {
    /// Editions of the requested work, most complete first; at most the `limit` of the request.
    public var editions: [EditionDTO]
    /// Total editions, as reported by the provider with the most.
    public var totalResults: Int
    /// Number of `editions`.
    public var resultCount: Int

    /// Creates an answer; the total is at least the number of editions.
    public init(editions: [EditionDTO], totalResults: Int) {
        self.editions = editions
        self.totalResults = max(totalResults, editions.count)
        resultCount = editions.count
    }
}

/// Why the works of a search by title have their ranks; requested with `explain=true`.
///
/// An addition to the answers of searches: `works[i]` here describes `works[i]` of the answer.
public struct MatchReport: Codable, Sendable, Equatable {
    /// The meaning of a score (metadata.md "Lookup").
    public enum Verdict: String, Codable, Sendable, CaseIterable {
        /// The requested book.
        case verified
        /// Possibly the requested book; a person should check.
        case needsReview
        /// Another book.
        case other
    }

    /// One comparison.
    public struct Reason: Codable, Sendable, Equatable {
        /// Whether it agrees without doubt. A doubt limits the score.
        public var agrees: Bool
        /// The observation in English: "only the candidate has the number 2".
        public var text: String

        /// Makes a reason.
        public init(agrees: Bool, text: String) {
            self.agrees = agrees
            self.text = text
        }
    }

    /// The verdict on one work.
    public struct Work: Codable, Sendable, Equatable {
        /// The work's title.
        public var title: String
        /// Names of its authors, which the work itself does not contain.
        public var authors: [String]
        /// The meaning of the score.
        public var verdict: Verdict
        /// From 0 to 1, in hundredths.
        public var score: Double
        /// The reasons for the score.
        public var reasons: [Reason]

        /// Makes a verdict.
        public init(title: String, authors: [String], verdict: Verdict, score: Double, reasons: [Reason]) {
            self.title = title
            self.authors = authors
            self.verdict = verdict
            self.score = score
            self.reasons = reasons
        }
    }

    /// Minimum score of a verified work.
    public var verifiedFrom: Double
    /// Minimum score of a work that is left for review.
    public var reviewFrom: Double
    /// In the order of the answer's works.
    public var works: [Work]

    /// Makes a report.
    public init(verifiedFrom: Double, reviewFrom: Double, works: [Work]) {
        self.verifiedFrom = verifiedFrom
        self.reviewFrom = reviewFrom
        self.works = works
    }
}
