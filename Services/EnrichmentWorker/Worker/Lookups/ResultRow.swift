import BookIdentifiers
import BookstrackContract

/// The row that the results show for an item, and what the host needs to know of it.
struct ResultRow: Sendable {
    private(set) var row: EnrichedBook
    /// Something is missing that a follow-up can add.
    let wantsFollowUp: Bool

    init(_ query: BookQuery, _ subject: LookupSubject, _ result: LookupResult) {
        row = EnrichedBook(asked: query, success: false)
        wantsFollowUp = if case .found(_, _, isComplete: false) = result { true } else { false }
        if case .isbn(_, let repair?) = subject { row.isbnRepair = repair.sentence }
        switch result {
        case .found(let book, let kind, _):
            row.success = true
            row.matchedBy = kind
            row.enriched = book
        case .notFound(let providers, let candidates):
            let names = providers.map(\.rawValue).joined(separator: ", ")
            row.candidates = candidates.isEmpty ? nil : candidates
            fail(.notFound, "Not found by \(names)", subject)
        case .unanswered(let failures):
            let reasons = failures.map(\.phrase).joined(separator: "; ")
            fail(failures.first?.errorCode ?? .providerError, "No answer: \(reasons)", subject)
        case .invalid(let reason):
            fail(.invalidISBN, reason, subject)
        }
    }

    /// What to call the item in progress frames.
    var title: String {
        row.enriched?.work.title
            ?? BookQuery(title: row.title, author: row.author, isbn: row.isbn, workId: row.workId).displayTitle
    }

    private mutating func fail(_ code: ItemErrorCode, _ sentence: String, _ subject: LookupSubject) {
        row.errorCode = code
        row.retryable = code.isRetryable
        row.error = sentence
        if case .title(_, let unusable?) = subject {
            row.error = "\(sentence) under its title. \(unusable.sentence)"
        }
    }
}
