import BookstrackContract

/// Books and answers for tests of searches.
enum SampleBooks {
    static let dune = work("Dune", year: 1965, cover: "https://covers.openlibrary.org/b/id/13473958-L.jpg")
    static let emma = work("Emma", year: 1815)

    static var duneEdition: EditionDTO {
        var edition = EditionDTO(isbns: ["9780441172719", "0441172717"], format: .massMarket)
        edition.publisher = "Ace Books"
        edition.publicationDate = "1990-09-01"
        edition.pageCount = 535
        edition.language = "en"
        return edition
    }

    static var emmaEdition: EditionDTO {
        var edition = EditionDTO(isbns: ["9780141439587"], format: .paperback)
        edition.publisher = "Penguin Books"
        return edition
    }

    static var herbert: AuthorDTO {
        var author = AuthorDTO(name: "Frank Herbert")
        (author.birthYear, author.deathYear, author.nationality) = (1920, 1986, "United States")
        return author
    }

    /// One book.
    static let one = SearchResults(works: [dune], editions: [duneEdition], authors: [herbert], totalResults: 1)
    /// Two books, and a further edition behind theirs.
    static let two = SearchResults(
        works: [dune, emma], editions: [duneEdition, emmaEdition, duneEdition],
        authors: [herbert, AuthorDTO(name: "Jane Austen")], totalResults: 7)

    private static func work(_ title: String, year: Int, cover: String? = nil) -> WorkDTO {
        var work = WorkDTO(title: title)
        work.firstPublicationYear = year
        work.coverImageURL = cover
        work.isbndbQuality = 80
        work.contributors = [.googleBooks, .openLibrary]
        return work
    }
}
