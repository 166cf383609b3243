import BookIdentifiers

/// The facts the emulator knows of one edition; both providers' documents are made from them.
struct CatalogueBook: Sendable {
    enum Format: String, Sendable {
        case paperback = "Paperback"
        case hardcover = "Hardcover"
        case massMarket = "Mass Market Paperback"
        case ebook = "E-book"
        case audiobook = "Audio CD"
    }

    /// What a provider may lack although the other one has it.
    enum Field: Sendable {
        case pages
        case publisher
        case about
        case cover
        /// Only the year is known.
        case dayOfPublication
    }

    let isbn: ISBN
    let title: String
    let subtitle: String?
    let authors: [String]
    /// Year of the work's first publication; negative before the common era.
    let firstPublished: Int?
    /// The edition's date: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    let published: String?
    let publisher: String?
    let pages: Int?
    let format: Format?
    let language: CatalogueLanguage?
    let subjects: [String]
    let series: String?
    /// The work's title where it is not the edition's; editions with the same one share a work.
    let work: String?
    let about: String?
    let hasCover: Bool
    let withheld: [Provider: Set<Field>]
    let knownTo: Set<Provider>

    init(
        isbn: ISBN, title: String, subtitle: String? = nil, authors: [String], firstPublished: Int? = nil,
        published: String? = nil, publisher: String? = nil, pages: Int? = nil, format: Format? = nil,
        language: CatalogueLanguage? = nil, subjects: [String] = [], series: String? = nil, work: String? = nil,
        about: String? = nil, hasCover: Bool = false,
        withheld: [Provider: Set<Field>] = [:], knownTo: Set<Provider> = Provider.catalogues
    ) {
        self.isbn = isbn
        self.title = title
        self.subtitle = subtitle
        self.authors = authors
        self.firstPublished = firstPublished
        self.published = published
        self.publisher = publisher
        self.pages = pages
        self.format = format
        self.language = language
        self.subjects = subjects
        self.series = series
        self.work = work
        self.about = about
        self.hasCover = hasCover
        self.withheld = withheld
        self.knownTo = knownTo
    }

    var workTitle: String { work ?? title }

    /// The book as `provider` knows it.
    func known(to provider: Provider) -> CatalogueBook {
        guard let lacking = withheld[provider], !lacking.isEmpty else { return self }
        return CatalogueBook(
            isbn: isbn, title: title, subtitle: subtitle, authors: authors, firstPublished: firstPublished,
            published: lacking.contains(.dayOfPublication) ? published.map { String($0.prefix(4)) } : published,
            publisher: lacking.contains(.publisher) ? nil : publisher, pages: lacking.contains(.pages) ? nil : pages,
            format: format, language: language, subjects: subjects, series: series, work: work,
            about: lacking.contains(.about) ? nil : about, hasCover: hasCover && !lacking.contains(.cover),
            knownTo: knownTo)
    }
}
