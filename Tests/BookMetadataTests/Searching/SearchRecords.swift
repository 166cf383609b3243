import BookMetadata

/// Records for tests of the searches, made by the decoders from short documents.
enum SearchRecords {
    /// Works of a `search.json` answer; each is the text of one document.
    static func works(_ documents: String..., total: Int = 0) throws -> WorkPage {
        try OpenLibrary.decodeSearchPage(
            #"{"numFound": \#(total), "docs": [\#(documents.joined(separator: ","))]}"#.utf8)
    }

    static func volume(
        _ id: String, _ title: String, _ author: String?, isbn: String? = nil, more: String = #""x": 0"#
    ) throws -> EditionRecord {
        let authors = author.map { #""authors": ["\#($0)"],"# } ?? ""
        let identifiers = isbn.map { #""industryIdentifiers": [{"type": "ISBN_13", "identifier": "\#($0)"}],"# } ?? ""
        return try GoogleBooks.decodeVolume(
            #"{"id": "\#(id)", "volumeInfo": {"title": "\#(title)", \#(authors) \#(identifiers) \#(more)}}"#.utf8)
    }

    static func page(_ editions: EditionRecord..., total: Int = 0) -> EditionPage {
        EditionPage(total: total, editions: editions)
    }

    static let dune = #"""
        {"key": "/works/OL893415W", "title": "Dune", "author_name": ["Frank Herbert"], "author_key": ["OL79034A"], "first_publish_year": 1965,
         "isbn": ["9780441172719", "0441172717"], "cover_i": 11, "cover_edition_key": "OL1M", "subject": ["Fiction, science fiction, general"],
         "editions": {"numFound": 1, "docs": [{"key": "/books/OL7M", "title": "Dune", "isbn": ["0441172717"], "publisher": ["Ace"],
         "publish_date": ["Sept 1990"], "language": ["eng"], "cover_i": 12, "format": ["Mass Market Paperback"]}]}}
        """#

    static let messiah = #"""
        {"key": "/works/OL893526W", "title": "Dune Messiah", "author_name": ["Frank Herbert"], "author_key": ["OL79034A"],
         "cover_i": 13, "cover_edition_key": "OL2M"}
        """#
}
