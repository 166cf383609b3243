import BookIdentifiers

/// Open Library's documents for a catalog book. Fields are distributed as in the real catalog: editions have a publisher, a number of pages, a
/// format and a date in words; works have the year of first publication, subjects and a description.
extension CatalogBook {
    /// The edition record of `/books/OL…M.json`. The `details` of `jscmd=details` are the same record with the authors' names.
    func editionDocument(namingAuthors: Bool) -> JSONValue {
        .members([
            "publishers": publisher.map { [.string($0)] },
            "number_of_pages": pages.map(JSONValue.integer),
            "isbn_10": isbn.isbn10.map { [.string($0)] },
            "isbn_13": [.string(isbn.isbn13)],
            "covers": hasCover ? [.integer(coverID)] : nil,
            "physical_format": format.map { .string($0.rawValue) },
            "key": .string(editionKey),
            "authors": .array(authors.map { authorReference($0, named: namingAuthors) }),
            "languages": language.map { [["key": .string("/languages/\($0.rawValue)")]] },
            "title": .string(title),
            "subtitle": subtitle.map(JSONValue.string),
            "series": series.map { [.string($0)] },
            "publish_date": published.map { .string(CatalogDate.inWords($0)) },
            "works": [["key": .string(workKey)]],
            "type": ["key": "/type/edition"],
            "latest_revision": 3,
            "revision": 3,
            "created": Self.timestamp,
            "last_modified": Self.timestamp,
        ])
    }

    /// The record of `/works/OL…W.json`.
    var workDocument: JSONValue {
        .members([
            "title": .string(workTitle),
            "key": .string(workKey),
            "authors": .array(
                authors.map {
                    ["author": ["key": .string(Self.authorKey($0))], "type": ["key": "/type/author_role"]]
                }),
            "description": about.map { ["type": "/type/text", "value": .string($0)] },
            "first_publish_date": firstPublished.map { .string(String($0)) },
            "subjects": .present(subjects),
            "covers": hasCover ? [.integer(coverID)] : nil,
            "type": ["key": "/type/work"],
            "latest_revision": 5,
            "revision": 5,
            "created": Self.timestamp,
            "last_modified": Self.timestamp,
        ])
    }

    /// The record of `/authors/OL…A.json`.
    ///
    /// - Parameter person: The author, if known to Wikidata; the record then refers to the item.
    static func authorDocument(_ name: String, person: Person?) -> JSONValue {
        .members([
            "name": .string(name), "personal_name": .string(name), "key": .string(authorKey(name)),
            "type": ["key": "/type/author"], "revision": 1, "latest_revision": 1, "created": timestamp,
            "last_modified": timestamp,
            "birth_date": person?.born.map { .string(CatalogDate.inWords($0)) },
            "death_date": person?.died.flatMap { $0 == "?" ? nil : $0 }.map { .string(CatalogDate.inWords($0)) },
            "remote_ids": person.map { ["wikidata": .string($0.id)] },
        ])
    }

    /// The value of a book in a response to `jscmd=data`.
    var dataDocument: JSONValue {
        .members([
            "url": .string("https://openlibrary.org\(editionKey)"),
            "key": .string(editionKey),
            "title": .string(title),
            "subtitle": subtitle.map(JSONValue.string),
            "authors": .array(
                authors.map {
                    ["url": .string("https://openlibrary.org\(Self.authorKey($0))"), "name": .string($0)]
                }),
            "number_of_pages": pages.map(JSONValue.integer),
            "identifiers": .members([
                "isbn_10": isbn.isbn10.map { [.string($0)] },
                "isbn_13": [.string(isbn.isbn13)],
                "openlibrary": [.string(String(editionKey.dropFirst("/books/".count)))],
            ]),
            "publishers": publisher.map { [["name": .string($0)]] },
            "publish_date": published.map { .string(CatalogDate.inWords($0)) },
            "subjects": subjects.isEmpty ? nil : .array(subjects.map(Self.subject)),
            "cover": hasCover ? Self.cover(coverID) : nil,
        ])
    }

    static func subject(_ name: String) -> JSONValue {
        let slug = name.lowercased().replacing(" ", with: "_")
        return ["name": .string(name), "url": .string("https://openlibrary.org/subjects/\(slug)")]
    }

    static func cover(_ id: Int) -> JSONValue {
        let stem = "https://covers.openlibrary.org/b/id/\(id)"
        return [
            "small": .string("\(stem)-S.jpg"), "medium": .string("\(stem)-M.jpg"), "large": .string("\(stem)-L.jpg"),
        ]
    }

    private func authorReference(_ name: String, named: Bool) -> JSONValue {
        .members(["key": .string(Self.authorKey(name)), "name": named ? .string(name) : nil])
    }

    private static let timestamp: JSONValue = ["type": "/type/datetime", "value": "2024-02-29T12:00:00.000000"]
}

/// Dates as written by Open Library's catalogers.
enum CatalogDate {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// The year in a date: its last four-digit number; nil if there is none.
    static func year(_ date: String) -> Int? {
        date.split { !$0.isNumber }.last { $0.count == 4 }.flatMap { Int($0) }
    }

    /// `2003-09-01` becomes "September 1, 2003", and `2003-09` becomes "September 2003"; other strings are unchanged.
    static func inWords(_ date: String) -> String {
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count >= 2, months.indices.contains(parts[1] - 1) else { return date }
        let month = months[parts[1] - 1]
        return parts.count == 3 ? "\(month) \(parts[2]), \(parts[0])" : "\(month) \(parts[0])"
    }
}
