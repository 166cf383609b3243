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
