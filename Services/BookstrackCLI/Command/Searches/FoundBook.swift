import BookstrackContract

/// A work that was found, with the edition that goes with it.
struct FoundBook {
    let work: WorkDTO
    /// The edition at the work's place in the answer.
    let edition: EditionDTO?
    /// Nil when the answer has several works: it does not say who wrote which (http-api.md "Routes").
    let authors: [AuthorDTO]?

    /// The books of an answer, at most `limit`.
    static func books(of results: SearchResults, limit: Int? = nil) -> [FoundBook] {
        let works = results.works.prefix(limit ?? results.works.count)
        return works.enumerated().map { place, work in
            FoundBook(
                work: work, edition: place < results.editions.count ? results.editions[place] : nil,
                authors: results.works.count == 1 ? results.authors : nil)
        }
    }

    var title: String { work.title }

    /// Year of the first publication, else of this one.
    var year: String {
        if let year = work.firstPublicationYear { return YearText.text(year) }
        return edition?.publicationDate.map { String($0.prefix(4)) } ?? ""
    }

    /// The largest cover known.
    var cover: String? { work.coverImageURL ?? edition?.coverImageURL }
}

extension EditionDTO {
    /// The ISBN-13, else whatever ISBN there is.
    var preferredISBN: String? { isbns.first { $0.count == 13 } ?? isbn }

    /// The format; nil when it is only a guess.
    var knownFormat: String? { formatInferred == true ? nil : format.rawValue }
}

extension DataProvider {
    /// The name as the provider writes it.
    var displayName: String {
        switch self {
        case .openLibrary: "Open Library"
        case .googleBooks: "Google Books"
        case .isbndb: "ISBNdb"
        case .gemini: "Gemini"
        }
    }
}
