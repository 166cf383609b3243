import BookMetadata
import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods

/// Looks up the book on a spine. An ISBN read by an engine counts only if its check digit is correct and, unless a barcode is all that was read, the
/// provider's title agrees (scans.md "Books").
struct SpineLookup: Sendable {
    let lookup: ItemLookup
    let spine: SpineItem

    /// Looks up the book, a second time without the ISBN if the ISBN does not count.
    ///
    /// Throws `QuestionFailure.withdrawn` if the task is cancelled.
    func result() async throws(QuestionFailure) -> LookupResult {
        var reading = spine.reading
        let subject = LookupSubject(reading)
        let result = try await lookup.result(for: subject)
        let isAlone = reading.title == nil && reading.text == nil
        guard case .isbn = subject, !(reading.isBarcode && isAlone) else { return result }
        switch result {
        case .found(let book, _, _, _) where agrees(book.book): return result
        case .found, .notFound, .invalid:
            reading.isbn = nil
            return try await lookup.result(for: LookupSubject(reading))
        case .unanswered: return result
        }
    }

    /// Whether a title of the book agrees with the spine: the work's, or the edition's own, which is the one on the spine of a translation.
    private func agrees(_ book: EnrichedMetadata) -> Bool {
        var record = EditionRecord(provider: book.work.primaryProvider ?? .openLibrary)
        record.authors = book.authors.compactMap { AuthorCredit(name: $0.name) }
        return [book.work.title, book.edition?.title].compactMap(\.self).contains { title in
            record.title = title
            let verdict =
                if spine.reading.title == nil, let text = spine.reading.text {
                    SpineMatch.best(for: SpineText(text), among: [.edition(record)])
                } else {
                    TitleMatch.best(for: spine.reading.query, among: [.edition(record)])
                }
            return verdict.isVerified
        }
    }
}

/// Identifies the book on a spine by title and author, ignoring differences in case, accents and punctuation.
enum BookIdentity {
    static func text(title: String, author: String) -> String {
        "\(MatchKey.phrase(title))|\(MatchKey.phrase(author))"
    }
}

/// The row for a spine in the results of a scan.
struct SpineRow {
    /// The book as it appears in the results.
    private(set) var book: ScannedBook
    /// Whether the match is verified (scans.md "Books").
    let isVerified: Bool

    /// - Parameter row: The outcome of the lookup.
    init(_ row: EnrichedBook, _ spine: SpineItem, of job: JobID) {
        book = ScannedBook(spine.reading, photo: spine.photo)
        isVerified = row.enriched?.work.reviewStatus == .verified
        if var found = row.enriched {
            if spine.engine == DataProvider.gemini.rawValue {
                found.work.contributors = (found.work.contributors ?? []) + [.gemini]
            }
            book.add(found, photo: APIPath.scanPhoto(job, spine.photo), isVerified: isVerified)
            if book.reviewStatus == .needsReview { book.candidates = row.candidates }
        } else {
            book.enrichmentStatus = row.errorCode == .notFound ? .notFound : .failed
            book.error = row.error
            book.errorCode = row.errorCode
            book.retryable = row.retryable
            book.candidates = row.candidates.map { Array($0.prefix(TitleMatch.maxCandidates)) }
        }
    }

    /// Identifies the book across the photos of the scan.
    var identity: String { BookIdentity.text(title: book.title, author: book.author) }

    func encoded() -> ByteBuffer { BodyCoding.encode(row: book) }
}
