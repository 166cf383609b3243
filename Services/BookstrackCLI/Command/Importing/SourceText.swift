import BookstrackContract

/// What was recognized in a library file, in words.
enum SourceText {
    /// A sentence such as "Goodreads export, utf-8, 24 of 31 columns used."
    static func sentence(_ source: ImportSource) -> String {
        let used = source.columns.count { $0.role != nil && $0.role != .ignore }
        let columns =
            source.columns.count > 1 ? ", \(used) of \(source.columns.count) columns used" : ""
        return "\(source.format.title), \(source.encoding)\(columns)."
    }

    /// The columns with their roles, a sample value, and the confidence in each role and the evidence for it.
    static func table(_ source: ImportSource, _ books: [ImportedBook]) -> TextTable {
        TextTable(
            columns: [
                .init("Column", .text), .init("Role"), .init("Sample", .text, least: 12), .init("Sure", .figure),
                .init("By", least: 7),
            ],
            rows: zip(source.columns, source.columns.distinctNames).map { column, name in
                [
                    column.name, column.role?.rawValue ?? "-",
                    sample(of: column, named: name, in: books),
                    column.role == nil ? "" : "\(Int(nearest: column.confidence * 100)) %",
                    column.by?.rawValue ?? "",
                ]
            })
    }

    /// The value of the first book that has one for the column; empty if none has.
    private static func sample(of column: ImportColumn, named name: String, in books: [ImportedBook]) -> String {
        for book in books {
            let text = column.role.map(book.text) ?? book.raw[name]
            if let text, !text.isEmpty { return text }
        }
        return ""
    }
}

extension ImportedBook {
    /// The book's value for a column of this role; nil if it has none.
    fileprivate func text(_ role: ColumnRole) -> String? {
        switch role {
        case .title: title
        case .subtitle: subtitle
        case .author: author
        case .authors: authors.joined(separator: ", ")
        case .isbn, .isbn13: isbn
        case .isbn10: isbn10
        case .status: status?.rawValue ?? statusRaw
        case .shelves: shelves.joined(separator: ", ")
        case .tags: tags.joined(separator: ", ")
        case .rating: rating.map { "\($0)" }
        case .dateRead: datesRead.first?.end
        case .dateStarted: datesRead.first?.start
        case .dateAdded: dateAdded
        case .readCount: readCount.map(String.init)
        case .owned: owned.map { $0 ? "yes" : "no" }
        case .review: review
        case .notes: notes
        case .publisher: publisher
        case .publicationYear, .publicationDate: publicationYear.map(String.init)
        case .originalYear: originalYear.map(String.init)
        case .pageCount: pageCount.map(String.init)
        case .language: language
        case .format: format?.rawValue
        case .series: series?.name
        case .position: series?.position
        case .goodreadsBookId: ids.goodreadsBookId
        case .librarythingId: ids.librarythingId
        case .openLibraryWork: ids.openLibraryWork
        case .openLibraryEdition: ids.openLibraryEdition
        case .asin: ids.asin
        case .googleVolumeId: ids.googleVolumeId
        case .mediaType, .ignore: nil
        }
    }
}

extension LibraryFormat {
    /// The format's name for users.
    var title: String {
        switch self {
        case .goodreads: "Goodreads export"
        case .storygraph: "StoryGraph export"
        case .librarything, .librarythingJSON: "LibraryThing export"
        case .bookwyrm, .bookwyrmGeneric: "BookWyrm export"
        case .openlibrary: "Open Library reading log"
        case .calibre: "Calibre catalog"
        case .bookbuddy: "BookBuddy export"
        case .hardcover: "Hardcover export"
        case .babelio: "Babelio export"
        case .openreads: "Openreads export"
        case .tellico: "Tellico collection"
        case .libib: "Libib export"
        case .bookCatalogue: "Book Catalogue export"
        case .bookCrawler: "Book Crawler export"
        case .leaf: "Leaf export"
        case .notion: "Notion table"
        case .clz: "CLZ Books export"
        case .libby: "Libby list"
        case .kindle: "Kindle data"
        case .bookstrack: "BooksTrack library"
        case .isbnList: "List of ISBNs"
        case .titleList: "List of titles"
        case .unknown: "Table from an unknown application"
        }
    }
}
