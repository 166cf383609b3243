package import Foundation

/// The common properties of all questions of one kind: how requests are made and shared, and how answers are read and cached.
///
/// A kind is declared in its provider's folder, next to the requests and documents that it uses. Only `QuestionLabel`, for metrics, covers all kinds.
package final class QuestionKind: Sendable {
    /// How the answers are obtained.
    package enum Method: Sendable {
        /// One request for all questions of a call; `make` returns nil if the questions have a different kind of subject.
        case request(
            make: @Sendable ([Question]) -> ProviderRequest?,
            read: @Sendable (Data, [Question]) throws(ProviderBodyError) -> ProviderReading)
        /// A search for each author, then shared requests for the items of all authors (metadata.md "Authors").
        case authorSearches
    }

    /// The TTL of answers (metadata.md "Cache"). Answers of "none" have a TTL of their own, except those about authors.
    package enum Lifetime: Sendable {
        /// An edition or a work: the TTL of books.
        case book
        /// An edition by ISBN: the TTL of books, longer for a rich record and shorter for a poor one.
        case edition
        /// A search, or the list of a work's editions: the TTL of searches, scaled by the quality of the first record.
        case search
        /// Facts about an author, including "none".
        case author
    }

    package let cachePrefix: String
    package let label: QuestionLabel
    /// The batch in which questions of this kind share requests.
    package let batch: RequestBatch
    /// The batch used if the question is sent in a request of its own.
    package let loneBatch: RequestBatch
    package let lifetime: Lifetime
    /// Whether the answer only adds to a record that can exist without it; within a class of work, such questions are served last.
    package let isAddition: Bool
    /// Whether a 404 for a GET means "none"; any other 404 means a wrong URL.
    package let saysNoneBy404: Bool
    package let method: Method

    /// - Parameters:
    ///   - cachePrefix: Prefix of the answers' cache keys. If the format of the answers changes, the prefix must change.
    ///   - loneBatch: The batch used if the question is sent in a request of its own; default `batch`.
    init(
        _ cachePrefix: String, label: QuestionLabel, batch: RequestBatch, loneBatch: RequestBatch? = nil,
        lifetime: Lifetime, isAddition: Bool = false, saysNoneBy404: Bool = false, method: Method
    ) {
        self.cachePrefix = cachePrefix
        self.label = label
        self.batch = batch
        self.loneBatch = loneBatch ?? batch
        self.lifetime = lifetime
        self.isAddition = isAddition
        self.saysNoneBy404 = saysNoneBy404
        self.method = method
    }

    package var provider: ProviderName { batch.provider }

    /// A `make` function for one request with the subjects of all questions.
    static func all<Subject>(
        _ subject: @escaping @Sendable (Question) -> Subject?,
        _ make: @escaping @Sendable ([Subject]) -> ProviderRequest
    ) -> @Sendable ([Question]) -> ProviderRequest? {
        { questions in
            let subjects = questions.compactMap(subject)
            return subjects.isEmpty ? nil : make(subjects)
        }
    }

    /// A `make` function for a request with the subject of the first question, for batches of size one.
    static func one<Subject>(
        _ subject: @escaping @Sendable (Question) -> Subject?,
        _ make: @escaping @Sendable (Subject) -> ProviderRequest
    ) -> @Sendable ([Question]) -> ProviderRequest? {
        { questions in questions.first.flatMap(subject).map(make) }
    }
}

/// Questions that can share a request; a provider's batches take turns.
package struct RequestBatch: Hashable, Sendable {
    package let provider: ProviderName
    package let name: String
    /// Maximum number of questions in one request (metadata.md "Lookup").
    package let size: Int

    init(_ provider: ProviderName, _ name: String, size: Int) {
        self.provider = provider
        self.name = name
        self.size = size
    }

    /// Questions that are each sent in a separate request.
    static func single(_ provider: ProviderName) -> RequestBatch { RequestBatch(provider, "single", size: 1) }
}

/// A request relative to the provider's base URL.
package struct ProviderRequest: Hashable, Sendable {
    /// Path and query, percent-encoded.
    package let path: String
    /// JSON body of a POST; nil for a GET.
    package let body: String?

    package init(_ path: String, body: String? = nil) {
        self.path = path
        self.body = body
    }
}

/// The content of a response body.
package enum ProviderReading: Sendable {
    /// The answers to the questions; for a question that is missing here, the answer is "none".
    case records([Question: ProviderRecords])
    /// The answer is at another path of the provider.
    case moved(ProviderRequest)

    /// The answer to a single question, for batches of size one.
    static func answer(_ records: ProviderRecords, to questions: [Question]) -> ProviderReading {
        .records(Dictionary(questions.map { ($0, records) }) { first, _ in first })
    }
}

/// The kinds of questions in the cache metrics.
package enum QuestionLabel: String, CaseIterable, Sendable {
    case edition
    case workFacts = "work_facts"
    case work, title, search, editions
    case volume
    case volumeTitle = "volume_title"
    case volumeSearch = "volume_search"
    case isbndb
    case isbndbSearch = "isbndb_search"
    case author
    case authorWorks = "author_works"
}
