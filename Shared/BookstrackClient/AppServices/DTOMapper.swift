public import BookstrackContract

/// A book as an app stores and shows it: plain values taken from a work, an edition and authors; unknown ones are nil.
public struct BookRecord: Sendable, Equatable, Codable, Hashable {
    /// Title of the edition if known, otherwise of the work.
    public var title: String
    /// Names of the authors, in the work's order.
    public var authors: [String]
    /// The ISBN-13 if known, otherwise the ISBN-10; nil if neither is known.
    public var isbn: String?
    /// Publisher of the edition.
    public var publisher: String?
    /// Year in which the edition was published or, if unknown, in which the work was first published.
    public var publicationYear: Int?
    /// Number of pages.
    public var pageCount: Int?
    /// Language of the edition, otherwise of the work (ISO 639-1); for a book in an imported library, as written in the file.
    public var language: String?
    /// URL of the edition's cover, otherwise of the work's.
    public var coverURL: String?
    /// Synopsis as plain text.
    public var synopsis: String?
    /// Genres and subjects; for a book in an imported library, its tags.
    public var subjects: [String]
    /// Whether a person should check the match.
    public var needsReview: Bool

    /// Creates a record with only these values.
    public init(title: String, authors: [String], isbn: String? = nil) {
        self.title = title
        self.authors = authors
        self.isbn = isbn
        subjects = []
        needsReview = false
    }
}

/// Converts the works, editions and authors of the API into plain values.
public enum DTOMapper {
    /// The record of a work with one of its editions.
    public static func record(work: WorkDTO, edition: EditionDTO?, authors: [AuthorDTO]) -> BookRecord {
        var record = BookRecord(title: edition?.title ?? work.title, authors: authors.map(\.name))
        record.isbn = edition?.isbns.first { $0.count == 13 } ?? edition?.isbn
        record.publisher = edition?.publisher
        record.publicationYear = edition?.publicationDate.flatMap { Int($0.prefix(4)) } ?? work.firstPublicationYear
        record.pageCount = edition?.pageCount
        record.language = edition?.language ?? work.originalLanguage
        record.coverURL = edition?.coverImageURL ?? work.coverImageURL
        record.synopsis = work.description ?? edition?.editionDescription
        record.subjects = work.subjectTags
        record.needsReview = work.reviewStatus == .needsReview
        return record
    }

    /// The record of a row's result; nil if the row has none.
    public static func record(_ row: EnrichedBook) -> BookRecord? {
        row.enriched.map { record(work: $0.work, edition: $0.edition, authors: $0.authors) }
    }

    /// The records of a search; each edition belongs to the work at the same index (http-api.md "Searches").
    ///
    /// The response does not specify which author wrote which work, so authors are assigned only if there is a single work.
    public static func records(_ results: SearchResults) -> [BookRecord] {
        let authors = results.works.count == 1 ? results.authors : []
        return results.works.enumerated().map { index, work in
            let edition = results.editions.indices.contains(index) ? results.editions[index] : nil
            return record(work: work, edition: edition, authors: authors)
        }
    }

    /// The record of a book in an imported library, before it is enriched.
    public static func record(_ book: ImportedBook) -> BookRecord {
        var record = BookRecord(title: book.title, authors: book.authors, isbn: book.isbn)
        record.publisher = book.publisher
        record.publicationYear = book.publicationYear ?? book.originalYear
        record.pageCount = book.pageCount
        record.language = book.language
        record.subjects = book.tags
        return record
    }

    /// The record of a book in a photo.
    public static func record(_ book: ScannedBook) -> BookRecord {
        guard let found = book.enrichment else {
            var record = BookRecord(
                title: book.title, authors: book.author.isEmpty ? [] : [book.author], isbn: book.isbn)
            record.needsReview = true
            return record
        }
        var record = record(work: found.work, edition: found.editions.first, authors: found.authors)
        record.needsReview = book.reviewStatus != .verified
        return record
    }
}
