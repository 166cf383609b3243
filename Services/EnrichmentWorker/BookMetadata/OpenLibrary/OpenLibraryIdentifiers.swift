/// The `identifiers` object of an edition or a work.
struct OpenLibraryIdentifiers {
    let goodreads: [String]
    let librarything: [String]
    let amazon: [String]
    let google: [String]
    let openLibrary: [String]
    let isbns: [String]

    init(_ node: JSONNode?) {
        let limit = EditionIdentifiers.limit
        goodreads = node?.strings("goodreads", limit: limit) ?? []
        librarything = node?.strings("librarything", limit: limit) ?? []
        amazon = node?.strings("amazon", limit: limit) ?? []
        google = node?.strings("google", limit: limit) ?? []
        openLibrary = node?.strings("openlibrary", limit: limit) ?? []
        isbns = (node?.strings("isbn_13", limit: limit) ?? []) + (node?.strings("isbn_10", limit: limit) ?? [])
    }
}
