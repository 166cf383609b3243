import BookIdentifiers

extension EditionRecord {
    /// The edition as `search.json` names it below its work: what the search index keeps, so without pages.
    var searchDocument: @Sendable () -> JSONValue {
        let (document, isbns) = (document, isbns)
        return {
            let edition = document()
            let date = edition["publish_date"]?.text
            return .members([
                "key": edition["key"],
                "type": "edition",
                "title": edition["title"],
                "subtitle": edition["subtitle"],
                "cover_i": edition["covers"]?.elements.first { ($0.integer ?? -1) > 0 },
                "language": .present(edition.languageCodes),
                "publisher": edition["publishers"],
                "format": edition["physical_format"].map { [$0] },
                "publish_date": date.map { [.string($0)] },
                "publish_year": date.flatMap(PublicationDate.year).map { [.integer($0)] },
                "isbn": .present(isbns.flatMap(\.forms)),
                "ebook_access": "no_ebook",
            ])
        }
    }
}

extension JSONValue {
    /// The codes of an edition's `languages`: `/languages/eng` is `eng`.
    var languageCodes: [String] {
        (self["languages"]?.elements ?? []).compactMap { $0["key"]?.text?.split(separator: "/").last.map(String.init) }
    }
}
