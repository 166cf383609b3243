/// `data` of the three searches (http-api.md "Searches" and "Routes").
///
/// `editions[i]` belongs to `works[i]`, because shipped clients pair them by index; further editions of a work follow after all
/// of those. Authors are unique by name in the order of first mention; `works` carry none.
public struct SearchResults: Codable, Sendable, Equatable {
    /// The works found, best first; at most 20.
    public var works: [WorkDTO]
    /// One edition per work in the same order, then further ones.
    public var editions: [EditionDTO]
    /// Everybody who wrote one of `works`.
    public var authors: [AuthorDTO]
    /// How many results the provider that knows most says there are.
    public var totalResults: Int
    /// Number of `works`.
    public var resultCount: Int
    /// Why each work stands where it does; only for a search by title that asks for it.
    public var matching: MatchReport?

    /// Nothing found.
    public static let none = SearchResults(works: [], editions: [], authors: [], totalResults: 0)

    /// Makes an answer; the total is never less than what is in it.
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
    /// Editions of the work asked for, most complete first; at most the `limit` of the request.
    public var editions: [EditionDTO]
    /// How many editions the provider that knows most says there are.
    public var totalResults: Int
    /// Number of `editions`.
    public var resultCount: Int

    /// Makes an answer; the total is never less than what is in it.
    public init(editions: [EditionDTO], totalResults: Int) {
        self.editions = editions
        self.totalResults = max(totalResults, editions.count)
        resultCount = editions.count
    }
}

/// Why the works of a search by title stand where they do, for those who ask with `explain=true`.
///
/// Additive to the answers of searches: `works[i]` here is about `works[i]` of the answer.
public struct MatchReport: Codable, Sendable, Equatable {
    /// What a score amounts to (metadata.md "Lookup").
    public enum Verdict: String, Codable, Sendable, CaseIterable {
        /// The book that was asked for.
        case verified
        /// Perhaps the book; a person should look.
        case needsReview
        /// Another book.
        case other
    }

    /// One thing that was compared.
    public struct Reason: Codable, Sendable, Equatable {
        /// Whether it leaves no doubt. What does leave one bounds the score.
        public var agrees: Bool
        /// What was seen, in English: "only the candidate has the number 2".
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
        /// Names of its authors, who are not in the work itself.
        public var authors: [String]
        /// What the score amounts to.
        public var verdict: Verdict
        /// From 0 to 1, in hundredths.
        public var score: Double
        /// What the score follows from.
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

    /// From this score on a work is verified.
    public var verifiedFrom: Double
    /// From this score on a work is left for review.
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
