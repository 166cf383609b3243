import BookIdentifiers

/// An Open Library edition record, and the other documents derived from it.
struct RecordedEdition: Sendable {
    let document: JSONValue
    /// Known author names by author key.
    let authorNames: [String: String]

    var title: String { document["title"]?.text ?? "" }

    var authorKeys: [String] { (document["authors"]?.elements ?? []).compactMap { $0["key"]?.text } }

    var record: CatalogEdition? {
        guard let key = document["key"]?.text else { return nil }
        let numbers = (document["isbn_13"]?.texts ?? []) + (document["isbn_10"]?.texts ?? [])
        return CatalogEdition(
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
            "subjects": document["subjects"].map { .array($0.texts.map(CatalogBook.subject)) },
            "cover": coverID.map(CatalogBook.cover),
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

/// A book from a response to `jscmd=data`, and the edition record derived from it.
struct RecordedBookData: Sendable {
    private let data: JSONValue
    private let key: String
    private let isbns: [ISBN]

    init?(_ recorded: RecordedDocuments.BookData) {
        guard let key = recorded.value["key"]?.text else { return nil }
        data = recorded.value
        self.key = key
        let identifiers = recorded.value["identifiers"]
        let numbers =
            [String(recorded.bibKey.dropFirst("ISBN:".count))] + (identifiers?["isbn_13"]?.texts ?? [])
            + (identifiers?["isbn_10"]?.texts ?? [])
        isbns = Array(Set(numbers.compactMap { ISBN($0) })).sorted()
    }

    var record: CatalogEdition {
        CatalogEdition(
            key: key, isbns: isbns, title: data["title"]?.text ?? "", languages: [], workKey: nil, coverID: coverID,
            document: { edition(namingAuthors: false) },
            details: { edition(namingAuthors: true) }, data: { data })
    }

    private func edition(namingAuthors: Bool) -> JSONValue {
        .members([
            "key": .string(key),
            "title": data["title"],
            "subtitle": data["subtitle"],
            "authors": data["authors"].map { .array($0.elements.map { author($0, named: namingAuthors) }) },
            "by_statement": data["by_statement"],
            "isbn_10": data["identifiers"]?["isbn_10"],
            "isbn_13": data["identifiers"]?["isbn_13"],
            "number_of_pages": data["number_of_pages"],
            "pagination": data["pagination"],
            "publishers": names("publishers"),
            "publish_date": data["publish_date"],
            "subjects": names("subjects"),
            "covers": coverID.map { [.integer($0)] },
            "type": ["key": "/type/edition"],
        ])
    }

    /// The author reference in an edition record, made from a URL such as `https://openlibrary.org/authors/OL23919A/J._K._Rowling`.
    private func author(_ author: JSONValue, named: Bool) -> JSONValue {
        let parts = author["url"]?.text?.split(separator: "/") ?? []
        let id = parts.drop { $0 != "authors" }.dropFirst().first
        return .members(["key": id.map { .string("/authors/\($0)") }, "name": named ? author["name"] : nil])
    }

    private func names(_ member: String) -> JSONValue? {
        data[member].map { .strings($0.elements.compactMap { $0["name"]?.text }) }
    }

    /// The cover's number in a URL such as `https://covers.openlibrary.org/b/id/2379038-L.jpg`.
    private var coverID: Int? {
        let file = data["cover"]?["large"]?.text?.split(separator: "/").last
        return file?.split(separator: "-").first.flatMap { Int($0) }
    }
}
