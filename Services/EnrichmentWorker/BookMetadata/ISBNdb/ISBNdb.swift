import JSON

/// Reads responses from ISBNdb v2 (metadata.md "Providers").
package enum ISBNdb {
    /// Maximum number of editions read from one response.
    private static let maxResults = 1_000

    /// The edition in a `/book/ISBN` response; `nil` if the provider reports that it has none.
    ///
    /// - Throws: `ProviderBodyError`; an error document is `.exhausted` or `.refused`.
    package static func decodeBook(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> EditionRecord? {
        guard let answer = try answer(body) else { return nil }
        guard let book = answer["book"], book.isObject else { throw .malformed }
        return EditionRecord(ISBNdbBook(book))
    }

    /// A `/books/TEXT` response with its total; empty if the provider reports that it has none.
    ///
    /// - Throws: `ProviderBodyError`; an error document is `.exhausted` or `.refused`.
    package static func decodeBooks(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> EditionPage {
        guard let answer = try answer(body) else { return .none }
        guard answer["books"] != nil else { throw .malformed }
        let editions = answer.list("books", limit: maxResults) { book in
            book.isObject ? EditionRecord(ISBNdbBook(book)) : nil
        }
        return EditionPage(total: answer["total"]?.int ?? 0, editions: editions)
    }

    /// The editions in a bulk response, in any order; unknown ISBNs are absent.
    ///
    /// - Throws: `ProviderBodyError`; an error document is `.exhausted` or `.refused`.
    package static func decodeBulk(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> [EditionRecord] {
        guard let answer = try answer(body) else { return [] }
        guard let name = ["data", "books"].first(where: { answer[$0] != nil }) else { throw .malformed }
        return answer.list(name, limit: maxResults) { book in
            book.isObject ? EditionRecord(ISBNdbBook(book)) : nil
        }
    }

    /// The outermost object; `nil` for the error document that means "none".
    private static func answer(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> JSONNode? {
        let answer = try ProviderDocument.object(in: body)
        guard let error = ISBNdbErrorDocument(answer) else { return answer }
        if error.isNotFound { return nil }
        throw error.bodyError
    }
}
