extension OpenLibraryRequests {
    /// Work fields and, nested, those of the edition that answers best.
    private static let searchFieldsWithEdition =
        searchFields + ","
        + [
            "editions", "editions.key", "editions.title", "editions.subtitle", "editions.isbn", "editions.publisher",
            "editions.publish_date", "editions.language", "editions.cover_i", "editions.format",
        ].joined(separator: ",")

    /// Works that match typed words: of title, subtitle, translated title or author. What `q` is too short for is
    /// asked for as a title (https://github.com/internetarchive/openlibrary/pull/11485).
    package static func search(_ text: String, limit: Int) -> String {
        let words = words(text)
        let isRefused = words.count < 3 || words.lowercased() == "the"
        return search([(isRefused ? "title" : "q", words)], fields: searchFieldsWithEdition, limit: limit)
    }

    /// Works by title, by the first person of an author cell, or by both. Every word is required.
    package static func search(title: String?, author: String?, limit: Int) -> String {
        let title = title.map { ("title", QueryWords.title($0).joined(separator: " ")) }
        let author = author.flatMap { AuthorCell($0).first }.map {
            ("author", (title == nil ? QueryWords.words($0) : QueryWords.person($0)).joined(separator: " "))
        }
        return search([title, author].compactMap(\.self), fields: searchFieldsWithEdition, limit: limit)
    }

    /// Works of everybody with this name.
    package static func authorWorks(
        _ author: String, limit: Int, offset: Int = 0, sort: AuthorWorksOrder? = nil
    ) -> String {
        let paging = [("offset", String(offset))] + (sort.map { [("sort", $0.rawValue)] } ?? [])
        let name = QueryWords.words(AuthorCell(author).first ?? author).joined(separator: " ")
        return search([("author", name)] + paging, fields: searchFieldsWithEdition, limit: limit)
    }

    /// Editions of a work key such as `OL45804W`.
    package static func editions(ofWork key: String, limit: Int) -> String {
        "/works/\(PercentEncoding.encode(key))/editions.json" + PercentEncoding.query([("limit", String(limit))])
    }

    /// The text without what `q` would read as syntax: "Dune: Messiah" names no field, "Who?" is no wildcard, and "AND" is a
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
