import BookIdentifiers

/// An edition record of Open Library, and the other documents made from it.
struct RecordedEdition: Sendable {
    let document: JSONValue
    /// Names by author key, as far as known.
    let authorNames: [String: String]

    var title: String { document["title"]?.text ?? "" }

    var authorKeys: [String] { (document["authors"]?.elements ?? []).compactMap { $0["key"]?.text } }

    var record: EditionRecord? {
        guard let key = document["key"]?.text else { return nil }
        let numbers = (document["isbn_13"]?.texts ?? []) + (document["isbn_10"]?.texts ?? [])
        return EditionRecord(
            key: key, isbns: Array(Set(numbers.compactMap { ISBN($0) })).sorted(), title: title,
            languages: document.languageCodes,
            workKey: document["works"]?.elements.first?["key"]?.text, coverID: coverID, document: { document },
            details: { details }, data: { data })
    }

    private var coverID: Int? { document["covers"]?.elements.compactMap(\.integer).first { $0 > 0 } }

    private var details: JSONValue {
        guard document["authors"] != nil else { return document }
        return document.setting(
            "authors",
            to: .array(
                authorKeys.map { .members(["key": .string($0), "name": authorNames[$0].map(JSONValue.string)]) }))
    }

    private var data: JSONValue {
        let key = document["key"]?.text ?? ""
        return .members([
            "url": .string("https://openlibrary.org\(key)"),
            "key": .string(key),
            "title": document["title"],
            "subtitle": document["subtitle"],
            "authors": authors,
            "number_of_pages": document["number_of_pages"],
            "pagination": document["pagination"],
            "by_statement": document["by_statement"],
            "identifiers": .members([
                "isbn_10": document["isbn_10"], "isbn_13": document["isbn_13"],
                "openlibrary": [.string(String(key.dropFirst("/books/".count)))],
            ]),
            "publishers": document["publishers"].map { .array($0.texts.map { ["name": .string($0)] }) },
            "publish_date": document["publish_date"],
            "subjects": document["subjects"].map { .array($0.texts.map(CatalogueBook.subject)) },
            "cover": coverID.map(CatalogueBook.cover),
        ])
    }

    private var authors: JSONValue? {
        let named = authorKeys.compactMap { key in
            authorNames[key].map { name -> JSONValue in
                ["url": .string("https://openlibrary.org\(key)"), "name": .string(name)]
            }
        }
        return named.isEmpty ? nil : .array(named)
    }
}
