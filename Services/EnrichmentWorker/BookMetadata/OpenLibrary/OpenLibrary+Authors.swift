import BookstrackContract

extension OpenLibrary {
    /// The person of an `/authors/OL…A.json` answer.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for `{"error": "notfound"}`.
    package static func decodeAuthor(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> AuthorRecord {
        guard let author = AuthorRecord(OpenLibraryAuthor(try record(in: body))) else { throw .malformed(.openLibrary) }
        return author
    }

    /// The people of a `/search/authors.json` answer in the provider's order.
    ///
    /// - Throws: `ProviderBodyError.malformed`; `.refused` for an error document.
    package static func decodeAuthors(_ body: some Sequence<UInt8>) throws(ProviderBodyError) -> [AuthorRecord] {
        try list("docs", in: body).list("docs") { AuthorRecord(OpenLibraryAuthor($0)) }
    }
}

extension OpenLibraryRequests {
    /// The record of an author key such as `OL26320A`.
    package static func author(_ key: String) -> String {
        "/authors/\(PercentEncoding.encode(key)).json"
    }
}
