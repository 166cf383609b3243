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
    /// Up to `batchSize` authors by their keys. The index knows them by path (openlibrary/plugins/worksearch/schemes/authors.py of Open
    /// Library), its answers name them without.
    package static func authors(_ keys: [String]) -> String {
        let alternatives = keys.map { "\"/authors/\($0)\"" }.joined(separator: " OR ")
        return "/search/authors.json"
            + PercentEncoding.query([
                ("q", "key:(\(alternatives))"), ("fields", "key,name,work_count"), ("limit", String(keys.count)),
            ])
    }

    /// The record of an author key such as `OL26320A`.
    package static func author(_ key: String) -> String {
        "/authors/\(PercentEncoding.encode(key)).json"
    }
}
