import BookIdentifiers

/// One entry of the sample catalogue as it is written down.
struct SampleBook: Sendable {
    struct Edition: Sendable {
        let published: String?
        let publisher: String?
        let pages: Int?
        let format: CatalogueBook.Format

        init(
            _ published: String? = nil, from publisher: String? = nil, pages: Int? = nil,
            as format: CatalogueBook.Format
        ) {
            self.published = published
            self.publisher = publisher
            self.pages = pages
            self.format = format
        }
    }

    let isbn: String
    let title: String
    let subtitle: String?
    let authors: [String]
    let firstPublished: Int?
    let language: CatalogueLanguage
    let series: String?
    let work: String?
    let edition: Edition
    let subjects: [String]
    let about: String?
    let knownTo: Set<Provider>

    init(
        _ isbn: String, _ title: String, subtitle: String? = nil, by authors: [String], first: Int? = nil,
        in language: CatalogueLanguage, series: String? = nil, work: String? = nil, edition: Edition,
        subjects: [String] = [], about: String? = nil, knownTo: Set<Provider> = Provider.catalogues
    ) {
        self.isbn = isbn
        self.title = title
        self.subtitle = subtitle
        self.authors = authors
        firstPublished = first
        self.language = language
        self.series = series
        self.work = work
        self.edition = edition
        self.subjects = subjects
        self.about = about
        self.knownTo = knownTo
    }

    /// The book as the shelves take it; nil when the ISBN's check digit is wrong.
    ///
    /// - Parameter place: Its place in the catalogue, which decides what one provider knows and the other does not, so that merging
    ///   has something to do.
    func catalogueBook(at place: Int) -> CatalogueBook? {
        ISBN(isbn).map { isbn in
            CatalogueBook(
                isbn: isbn, title: title, subtitle: subtitle, authors: authors, firstPublished: firstPublished,
                published: edition.published, publisher: edition.publisher, pages: edition.pages,
                format: edition.format, language: language, subjects: subjects, series: series, work: work,
                about: about, hasCover: !place.isMultiple(of: 11), withheld: Self.withheld(at: place),
                knownTo: knownTo)
        }
    }

    private static func withheld(at place: Int) -> [Provider: Set<CatalogueBook.Field>] {
        var openLibrary: Set<CatalogueBook.Field> = []
        var googleBooks: Set<CatalogueBook.Field> = []
        if place % 3 == 0 { openLibrary.insert(.dayOfPublication) }
        if place % 4 == 0 { openLibrary.insert(.pages) }
        if place % 6 == 1 { openLibrary.insert(.about) }
        if place % 5 == 0 { googleBooks.insert(.publisher) }
        if place % 7 == 2 { googleBooks.insert(.cover) }
        return [.openLibrary: openLibrary, .googleBooks: googleBooks]
    }
}

/// Several editions of one work, as they are written down. Where the catalogue has the work already, these join it.
struct SampleWork: Sendable {
    struct Edition: Sendable {
        let isbn: String
        /// The edition's own title where it is not the work's.
        let title: String?
        let language: CatalogueLanguage
        let facts: SampleBook.Edition
        let knownTo: Set<Provider>

        init(
            _ isbn: String, titled title: String? = nil, in language: CatalogueLanguage = .english,
            _ facts: SampleBook.Edition, knownTo: Set<Provider> = Provider.catalogues
        ) {
            self.isbn = isbn
            self.title = title
            self.language = language
            self.facts = facts
            self.knownTo = knownTo
        }
    }

    let title: String
    let authors: [String]
    let firstPublished: Int
    let subjects: [String]
    let editions: [Edition]

    init(_ title: String, by authors: [String], first: Int, subjects: [String] = [], _ editions: [Edition]) {
        self.title = title
        self.authors = authors
        firstPublished = first
        self.subjects = subjects
        self.editions = editions
    }

    var books: [SampleBook] {
        editions.map { edition in
            SampleBook(
                edition.isbn, edition.title ?? title, by: authors, first: firstPublished, in: edition.language,
                work: title, edition: edition.facts, subjects: subjects, knownTo: edition.knownTo)
        }
    }
}
