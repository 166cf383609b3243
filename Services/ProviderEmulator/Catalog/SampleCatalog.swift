import BookIdentifiers

/// Well-known books that are always in the catalog. The descriptions were written for the emulator. Some books are known to only one
/// provider, and some to none.
///
/// They are the rows of `SampleBooks.tsv`, whose first line names the columns. Multiple values in a field are separated by `; `; `knownTo`
/// is `all`, `none` or names of providers. The file is embedded, so the program is a single binary.
enum SampleCatalog {
    private enum Column: Int, CaseIterable {
        case isbn, title, subtitle, authors, first, language, series, work, published, publisher, pages, format
        case subjects, about, knownTo
    }

    static let books = rows(of: String(decoding: PackageResources.SampleBooks_tsv, as: UTF8.self)).enumerated()
        .map { place, row in
            guard let book = book(row, at: place) else { preconditionFailure("not a sample book: \(row)") }
            return book
        }

    /// The fields of each book; lines that begin with `#` are headings.
    private static func rows(of text: String) -> [[String]] {
        text.split(separator: "\n").dropFirst().filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The book of a row; nil if the row has the wrong number of fields, or if a required field is missing or invalid.
    ///
    /// - Parameter place: Index in the catalog. It determines whether there is a cover, and which facts Open Library and Google Books lack, so that
    ///   merging is tested.
    private static func book(_ row: [String], at place: Int) -> CatalogBook? {
        guard row.count == Column.allCases.count else { return nil }
        func text(_ column: Column) -> String? { row[column.rawValue].isEmpty ? nil : row[column.rawValue] }
        func list(_ column: Column) -> [String] { row[column.rawValue].split(separator: "; ").map(String.init) }
        guard let isbn = ISBN(row[Column.isbn.rawValue]), let title = text(.title),
            let language = text(.language).flatMap(CatalogLanguage.init),
            let format = text(.format).flatMap(CatalogBook.Format.init), let knownTo = providers(list(.knownTo))
        else { return nil }
        return CatalogBook(
            isbn: isbn, title: title, subtitle: text(.subtitle), authors: list(.authors),
            firstPublished: text(.first).flatMap { Int($0) }, published: text(.published), publisher: text(.publisher),
            pages: text(.pages).flatMap { Int($0) }, format: format, language: language, subjects: list(.subjects),
            series: text(.series), work: text(.work), about: text(.about), hasCover: !place.isMultiple(of: 11),
            withheld: withheld(at: place), knownTo: knownTo)
    }

    /// The providers with these names; nil if a name is unknown.
    private static func providers(_ names: [String]) -> Set<Provider>? {
        switch names {
        case ["all"]: return Provider.catalogs
        case ["none"]: return []
        default:
            let providers = names.compactMap(Provider.init)
            return providers.isEmpty || providers.count < names.count ? nil : Set(providers)
        }
    }

    private static func withheld(at place: Int) -> [Provider: Set<CatalogBook.Field>] {
        var openLibrary: Set<CatalogBook.Field> = []
        var googleBooks: Set<CatalogBook.Field> = []
        if place % 3 == 0 { openLibrary.insert(.dayOfPublication) }
        if place % 4 == 0 { openLibrary.insert(.pages) }
        if place % 6 == 1 { openLibrary.insert(.about) }
        if place % 5 == 0 { googleBooks.insert(.publisher) }
        if place % 7 == 2 { googleBooks.insert(.cover) }
        return [.openLibrary: openLibrary, .googleBooks: googleBooks]
    }
}
