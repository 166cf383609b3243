package import BookIdentifiers

/// Paths and queries for Open Library, relative to its base URL (metadata.md "Lookup").
package enum OpenLibraryRequests {
    /// Maximum number of ISBNs or keys in one request, as advised by the provider's maintainers.
    package static let batchSize = 25

    static let searchFields = [
        "key", "title", "subtitle", "author_name", "author_key", "first_publish_year", "isbn", "cover_i",
        "cover_edition_key", "subject",
    ].joined(separator: ",")

    /// The path and query for the editions with up to `batchSize` ISBNs.
    package static func details(_ isbns: [ISBN]) -> String {
        details(bibkeys: isbns.map { "ISBN:\($0.isbn13)" })
    }

    /// The path and query for the editions with up to `batchSize` edition keys such as `OL7353617M`.
    package static func details(editionKeys: [String]) -> String {
        details(bibkeys: editionKeys.map { "OLID:\($0)" })
    }

    /// The path and query for a search for the works with up to `batchSize` ISBNs.
    package static func workFacts(_ isbns: [ISBN]) -> String {
        let alternatives = isbns.map(\.isbn13).joined(separator: " OR ")
        return search([("q", "isbn:(\(alternatives))")], limit: isbns.count * 2)
    }

    /// The path and query for works by title, and by author if one is known. A search by title alone requests more results, because other books may
    /// have the same title.
    package static func titleSearch(title: String, author: String?) -> String {
        search(title: title, author: author, limit: author == nil ? 20 : 10)
    }

    /// The path for the record of a work with a key such as `OL45804W`.
    package static func work(_ key: String) -> String {
        "/works/\(PercentEncoding.encode(key)).json"
    }

    /// The path and query for the search index entries of up to `batchSize` works, by key; unlike the records, the entries contain the authors'
    /// names. The index identifies works by path (https://openlibrary.org/search/howto).
    package static func works(_ keys: [String]) -> String {
        let alternatives = keys.map { "\"/works/\($0)\"" }.joined(separator: " OR ")
        return search([("q", "key:(\(alternatives))")], limit: keys.count)
    }

    /// The path and query for the work counts of up to `batchSize` authors, by key. The index identifies authors by path
    /// (openlibrary/plugins/worksearch/schemes/authors.py in Open Library); its responses contain keys without the path.
    package static func authors(_ keys: [String]) -> String {
        let alternatives = keys.map { "\"/authors/\($0)\"" }.joined(separator: " OR ")
        return "/search/authors.json"
            + PercentEncoding.query([
                ("q", "key:(\(alternatives))"), ("fields", "key,name,work_count"), ("limit", String(keys.count)),
            ])
    }

    private static func details(bibkeys: [String]) -> String {
        "/api/books"
            + PercentEncoding.query([
                ("bibkeys", bibkeys.joined(separator: ",")), ("jscmd", "details"), ("format", "json"),
            ])
    }

    static func search(
        _ parameters: [(String, String)], fields: String = searchFields, limit: Int
    ) -> String {
        "/search.json" + PercentEncoding.query(parameters + [("fields", fields), ("limit", String(limit))])
    }
}

extension OpenLibraryRequests {
    /// The fields of a work and, nested, those of its best-matching edition.
    private static let searchFieldsWithEdition =
        searchFields + ","
        + [
            "editions", "editions.key", "editions.title", "editions.subtitle", "editions.isbn", "editions.publisher",
            "editions.publish_date", "editions.language", "editions.cover_i", "editions.format",
        ].joined(separator: ",")

    /// The path and query for works that match words typed by a user, in title, subtitle, translated title or author. Words that `q` refuses, because
    /// they are too short or only "the", are searched as a title (https://github.com/internetarchive/openlibrary/pull/11485).
    package static func search(_ text: String, limit: Int) -> String {
        let words = words(text)
        let isRefused = words.count < 3 || words.lowercased() == "the"
        return search([(isRefused ? "title" : "q", words)], fields: searchFieldsWithEdition, limit: limit)
    }

    /// The path and query for works by title, by the first person of an author cell, or by both. Every word is required.
    package static func search(title: String?, author: String?, limit: Int) -> String {
        let title = title.map { ("title", QueryWords.title($0).joined(separator: " ")) }
        let author = author.flatMap { AuthorCell($0).first }.map {
            ("author", (title == nil ? QueryWords.words($0) : QueryWords.person($0)).joined(separator: " "))
        }
        return search([title, author].compactMap(\.self), fields: searchFieldsWithEdition, limit: limit)
    }

    /// The path and query for works of all authors with this name.
    package static func authorWorks(
        _ author: String, limit: Int, offset: Int = 0, sort: AuthorWorksOrder? = nil
    ) -> String {
        let paging = [("offset", String(offset))] + (sort.map { [("sort", $0.rawValue)] } ?? [])
        let name = QueryWords.words(AuthorCell(author).first ?? author).joined(separator: " ")
        return search([("author", name)] + paging, fields: searchFieldsWithEdition, limit: limit)
    }

    /// The path and query for the editions of a work with a key such as `OL45804W`.
    package static func editions(ofWork key: String, limit: Int) -> String {
        "/works/\(PercentEncoding.encode(key))/editions.json" + PercentEncoding.query([("limit", String(limit))])
    }

    /// The text in a form that `q` does not interpret as syntax: "Dune: Messiah" does not contain a field, "Who?" is not a wildcard, and "AND" is a
    /// word (https://lucene.apache.org/core/9_0_0/queryparser/, "Escaping Special Characters").
    private static func words(_ text: String) -> String {
        let plain = text.map { syntax.contains($0) ? " " : $0 }
        return plain.split(separator: " ").map { word in
            operators.contains(String(word)) ? word.map { $0.lowercased() }.joined() : String(word)
        }.joined(separator: " ")
    }

    private static let syntax: Set<Character> = Set(#"+-&|!(){}[]^"~*?:\/"#)
    private static let operators: Set<String> = ["AND", "OR", "NOT", "TO"]
}

/// How Open Library sorts the works of an author (`sort` of `search.json`).
package enum AuthorWorksOrder: String, Sendable {
    /// By year of first publication, latest first.
    case newest = "new"
    /// By year of first publication, earliest first.
    case oldest = "old"
    case title
    /// By number of readers, highest first.
    case popularity = "readinglog"
}
