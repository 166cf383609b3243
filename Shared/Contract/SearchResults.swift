/// The `data` of the three searches (http-api.md "Searches" and "Routes").
///
/// `editions[i]` belongs to `works[i]`, because shipped clients pair them by index; further editions follow. Authors are unique by name, in order of
/// first appearance; `works` contain no authors.
public struct SearchResults: Codable, Sendable, Equatable {
    /// The works that were found, best match first; at most 20.
    public var works: [WorkDTO]
    /// One edition per work, in the same order, then further editions.
    public var editions: [EditionDTO]
    /// The authors of all `works`.
    public var authors: [AuthorDTO]
    /// Estimated total number of results: the books found, plus results that a provider reports but did not return.
    public var totalResults: Int
    /// Number of `works`.
    public var resultCount: Int
    /// Why each work has its rank; only for searches with a title that request it.
    public var matching: MatchReport?

    /// A response without results.
    public static let none = SearchResults(works: [], editions: [], authors: [], totalResults: 0)

    /// Creates a response; the total is at least the number of works.
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

/// The `data` of `GET /v1/editions/search` (http-api.md "Routes").
public struct EditionResults: Codable, Sendable, Equatable {
    /// Editions of the requested work, most complete first; at most the request's `limit`.
    public var editions: [EditionDTO]
    /// Total number of editions: Open Library's number, if it has some of them, but at least the number found.
    public var totalResults: Int
    /// Number of `editions`.
    public var resultCount: Int

    /// Creates a response; the total is at least the number of editions.
    public init(editions: [EditionDTO], totalResults: Int) {
        self.editions = editions
        self.totalResults = max(totalResults, editions.count)
        resultCount = editions.count
    }
}

/// Why the works found by a search with a title have their ranks; requested with `explain=true`.
///
/// Its `works[i]` describes `works[i]` of the response.
public struct MatchReport: Codable, Sendable, Equatable {
    /// The verdict that follows from a score (metadata.md "Lookup").
    public enum Verdict: String, Codable, Sendable, CaseIterable {
        /// The requested book.
        case verified
        /// Possibly the requested book; needs review by a person.
        case needsReview
        /// A different book.
        case other
    }

    /// The result of one comparison.
    public struct Reason: Codable, Sendable, Equatable {
        /// Whether the request and the candidate certainly agree; if not, the score is limited.
        public var agrees: Bool
        /// The finding in English, such as "only the candidate has the number 2".
        public var text: String

        /// Creates a reason.
        public init(agrees: Bool, text: String) {
            self.agrees = agrees
            self.text = text
        }
    }

    /// The verdict on one work.
    public struct Work: Codable, Sendable, Equatable {
        /// The work's title.
        public var title: String
        /// Names of the work's authors, which the work itself does not contain.
        public var authors: [String]
        /// The verdict that follows from the score.
        public var verdict: Verdict
        /// The score from 0 to 1, rounded down to hundredths.
        public var score: Double
        /// The reasons for the score.
        public var reasons: [Reason]

        /// Creates a verdict.
        public init(title: String, authors: [String], verdict: Verdict, score: Double, reasons: [Reason]) {
            self.title = title
            self.authors = authors
            self.verdict = verdict
            self.score = score
            self.reasons = reasons
        }
    }

    /// Minimum score for a verified work.
    public var verifiedFrom: Double
    /// Minimum score for a work that needs review.
    public var reviewFrom: Double
    /// The verdicts, in the order of the response's works.
    public var works: [Work]

    /// Creates a report.
    public init(verifiedFrom: Double, reviewFrom: Double, works: [Work]) {
        self.verifiedFrom = verifiedFrom
        self.reviewFrom = reviewFrom
        self.works = works
    }
}
