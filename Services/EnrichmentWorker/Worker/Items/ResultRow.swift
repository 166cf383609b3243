import BookIdentifiers
import BookMetadata
import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods

/// An item's row in the results, and the properties of the row that the host needs.
struct ResultRow: Sendable {
    private(set) var row: EnrichedBook
    /// Whether a follow-up can add missing facts.
    let wantsFollowUp: Bool
    let subject: LookupSubject
    /// The providers of the book's fields.
    private var fields = FieldSources()

    init(_ query: BookQuery, _ subject: LookupSubject, _ result: LookupResult) {
        self.subject = subject
        row = EnrichedBook(asked: query, success: false)
        wantsFollowUp = if case .found(_, _, isComplete: false, _) = result { true } else { false }
        if case .isbn(_, let repair?) = subject { row.isbnRepair = repair.sentence }
        switch result {
        case .found(let book, let kind, _, let others):
            row.candidates = others.isEmpty ? nil : others
            row.success = true
            row.matchedBy = kind
            row.enriched = book.book
            fields = book.sources
        case .notFound(let providers, let candidates):
            let names = providers.map(\.rawValue).joined(separator: ", ")
            row.candidates = candidates.isEmpty ? nil : candidates
            fail(.notFound, names.isEmpty ? "The spine has no words to look up" : "Not found by \(names)", subject)
        case .unanswered(let failures):
            let reasons = failures.map(\.phrase).joined(separator: "; ")
            fail(failures.first?.errorCode ?? .providerError, "No result: \(reasons)", subject)
        case .invalid(let reason):
            fail(.invalidISBN, reason, subject)
        }
    }

    /// Maximum length of ``title`` in Unicode scalars; progress frames truncate titles further.
    private static let maxTitleLength = 300

    /// The item's title in progress frames.
    var title: String {
        let title =
            row.enriched?.work.title
            ?? BookQuery(title: row.title, author: row.author, isbn: row.isbn, workId: row.workId).displayTitle
        return String(String.UnicodeScalarView(title.unicodeScalars.prefix(Self.maxTitleLength)))
    }

    /// The ISBN that was looked up, and those of the books in the row.
    var isbns: [ISBN: ISBNUse] {
        let books = [row.enriched].compactMap(\.self) + (row.candidates ?? [])
        var uses = [ISBN: ISBNUse](returned: books.compactMap(\.edition))
        if case .isbn(let isbn, _) = subject { uses[isbn] = row.errorCode.map { .failed($0) } ?? .found }
        return uses
    }

    /// What the row contributes to analytics, after a lookup that used these providers.
    func measure(_ sources: LookupSources) -> ResultMeasure {
        var measure = ResultMeasure()
        if case .isbn = subject { measure.isByISBN = true }
        for provider in ProviderName.allCases where sources.asked.contains(provider) {
            measure[provider.measured].isAsked = true
            measure[provider.measured].isAnswered = sources.answered.contains(provider)
        }
        guard let book = row.enriched else { return measure }
        measure.isFound = true
        measure.hasCover = book.work.coverImageURL != nil || book.edition?.coverImageURL != nil
        measure.quality = book.work.isbndbQuality
        measure.authors = book.authors.count
        measure.knownAuthors = book.authors.count(where: \.isKnown)
        for provider in DataProvider.allCases {
            if let measured = provider.measured { measure[measured].fields = fields[provider] }
        }
        if measure.knownAuthors > 0 { measure[.wikidata].fields = [BookFieldSet(.authors)] }
        // A follow-up queries providers only for missing facts; facts from an earlier lookup still count.
        for provider in MeasuredProvider.allCases where !measure[provider].fields.isEmpty {
            (measure[provider].isAsked, measure[provider].isAnswered) = (true, true)
        }
        return measure
    }

    /// The row's JSON. If a row is too long, its descriptions and candidates are dropped; a row that is still too long cannot be a real book and
    /// becomes an error.
    func encoded(within limit: Int) -> (result: ResultRow, json: ByteBuffer) {
        var result = self
        for shorten in [{ $0.dropLongTexts() }, { $0.refuse() }] as [(inout ResultRow) -> Void] {
            let json = BodyCoding.encode(row: result.row)
            if json.readableBytes <= limit { return (result, json) }
            shorten(&result)
        }
        return (result, BodyCoding.encode(row: result.row))
    }

    private mutating func dropLongTexts() {
        row.enriched?.work.description = nil
        row.enriched?.edition?.editionDescription = nil
        row.candidates = nil
    }

    private mutating func refuse() {
        row.enriched = nil
        row.matchedBy = nil
        row.success = false
        row.errorCode = .providerError
        row.retryable = true
        row.error = "No result: a provider sent a record that is too long"
    }

    private mutating func fail(_ code: ItemErrorCode, _ sentence: String, _ subject: LookupSubject) {
        row.errorCode = code
        row.retryable = code.isRetryable
        row.error = sentence
        if case .title(_, let unusable?) = subject {
            row.error = "\(sentence) (looked up by title). \(unusable.sentence)"
        }
    }
}

extension BodyCoding {
    /// Encodes a row of the results. Traps if encoding fails, which would be a defect: only a number that JSON cannot express can cause this, and the
    /// only numbers with fractions in a row are those of a spine, which were decoded from JSON.
    static func encode(row: some Encodable) -> ByteBuffer {
        do {
            return try encode(row)
        } catch {
            preconditionFailure("\(type(of: row)) cannot be encoded: \(error)")
        }
    }
}

extension AuthorDTO {
    /// Whether the author's gender, cultural region or nationality is known.
    fileprivate var isKnown: Bool { gender != .unknown || culturalRegion != nil || nationality != nil }
}

extension ProviderName {
    fileprivate var measured: MeasuredProvider {
        switch self {
        case .openLibrary: .openLibrary
        case .googleBooks: .googleBooks
        case .isbndb: .isbndb
        case .wikidata: .wikidata
        }
    }
}

extension DataProvider {
    /// The provider as measured in analytics; nil for an engine, which reads photos and does not provide books.
    fileprivate var measured: MeasuredProvider? {
        switch self {
        case .openLibrary: .openLibrary
        case .googleBooks: .googleBooks
        case .isbndb: .isbndb
        case .gemini: nil
        }
    }
}
