import BookIdentifiers

/// Well-known books that are always in the catalog. The descriptions were written for the emulator. Some books are known to only one
/// provider, and some to none.
///
/// They are the rows of the embedded file `SampleBooks.tsv`; `knownTo` is `all`, `none` or names of providers.
enum SampleCatalog {
    private enum Column: Int, CaseIterable {
        case isbn, title, subtitle, authors, first, language, series, work, published, publisher, pages, format
        case subjects, about, knownTo
    }

    static let books = SampleRow<Column>.rows(of: PackageResources.SampleBooks_tsv).enumerated().map { place, row in
        guard let book = book(row, at: place) else { preconditionFailure("not a sample book: \(row)") }
        return book
    }

    /// The book of a row; nil if a required field is missing or invalid.
    ///
    /// - Parameter place: Index in the catalog. It determines whether there is a cover, and which facts Open Library and Google Books lack, so that
    ///   merging is tested.
    private static func book(_ row: SampleRow<Column>, at place: Int) -> CatalogBook? {
        guard let isbn = row.text(.isbn).flatMap({ ISBN($0) }), let title = row.text(.title),
            let language = row.text(.language).flatMap(CatalogLanguage.init),
            let format = row.text(.format).flatMap(CatalogBook.Format.init),
            let knownTo = providers(row.list(.knownTo))
        else { return nil }
        return CatalogBook(
            isbn: isbn, title: title, subtitle: row.text(.subtitle), authors: row.list(.authors),
            firstPublished: row.text(.first).flatMap { Int($0) }, published: row.text(.published),
            publisher: row.text(.publisher), pages: row.text(.pages).flatMap { Int($0) }, format: format,
            language: language, subjects: row.list(.subjects), series: row.text(.series), work: row.text(.work),
            about: row.text(.about), hasCover: !place.isMultiple(of: 11), withheld: withheld(at: place),
            knownTo: knownTo)
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

/// A row of an embedded table, whose first line names the columns. Lines that begin with `#` are headings and remarks. Tables are embedded so that
/// the program is a single binary.
struct SampleRow<Column: CaseIterable & RawRepresentable<Int>> {
    private let fields: [String]

    /// - Precondition: Each row has a field for every column.
    static func rows(of table: [UInt8]) -> [Self] {
        String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst().filter { !$0.hasPrefix("#") }.map {
            let fields = $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            precondition(fields.count == Column.allCases.count, "not a row of the table: \(fields)")
            return Self(fields: fields)
        }
    }

    /// The field; nil if it is empty.
    func text(_ column: Column) -> String? { fields[column.rawValue].isEmpty ? nil : fields[column.rawValue] }

    /// The values of a field, which are separated by `; `.
    func list(_ column: Column) -> [String] { fields[column.rawValue].split(separator: "; ").map(String.init) }
}
