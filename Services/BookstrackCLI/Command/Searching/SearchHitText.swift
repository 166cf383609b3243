import BookstrackContract
import ServiceKit

/// All details of one book, each with its label.
enum SearchHitText {
    private static let labelColumns = 13
    /// Maximum width of text, for readability.
    private static let widest = 100

    /// The details of `book`; text is wrapped, but a URL stays on one line.
    static func text(_ book: SearchHit, source: String, width: Int) -> String {
        let columns = min(width, widest) - labelColumns
        return facts(book, source: source).flatMap { label, value -> [String] in
            guard let value, !value.isEmpty else { return [] }
            let isAddress = value.hasPrefix("https://")
            let lines = isAddress ? [TerminalText.line(value)] : TextWrap.lines(value, columns: columns)
            return lines.enumerated().map { number, line in
                DisplayWidth.pad(number == 0 ? label + ":" : "", labelColumns) + line
            }
        }.joined(separator: "\n") + "\n"
    }

    private static func facts(_ book: SearchHit, source: String) -> [(label: String, value: String?)] {
        let (work, edition) = (book.work, book.edition)
        let authors = book.authors ?? []
        return [
            ("Title", work.title), ("Edition", editionTitle(book)),
            (authors.count == 1 ? "Author" : "Authors", authors.map(line).joined(separator: "\n")),
            ("First in", work.firstPublicationYear.map(YearText.text)), ("Published", published(edition)),
            ("Format", format(edition)), ("Language", language(book)),
            ("ISBN", edition?.isbns.joined(separator: ", ")), ("Subjects", work.subjectTags.joined(separator: ", ")),
            ("Cover", book.cover), ("Description", work.description ?? edition?.editionDescription),
            ("Quality", quality(work)), ("Providers", providers(book)), ("Response", source),
        ]
    }

    private static func editionTitle(_ book: SearchHit) -> String? {
        let names = [book.edition?.title == book.title ? nil : book.edition?.title, book.edition?.editionTitle]
        return names.compactMap { $0 }.joined(separator: ", ")
    }

    /// An author with the known facts: "Frank Herbert (1920-1986, United States)".
    private static func line(_ author: AuthorDTO) -> String {
        let facts = [years(author), author.nationality].compactMap { $0 }
        return author.name + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
    }

    private static func years(_ author: AuthorDTO) -> String? {
        switch (author.birthYear.map(YearText.text), author.deathYear.map(YearText.text)) {
        case (let birth?, let death?): "\(birth)-\(death)"
        case (let birth?, nil): "born \(birth)"
        case (nil, let death?): "died \(death)"
        case (nil, nil): nil
        }
    }

    private static func published(_ edition: EditionDTO?) -> String? {
        [edition?.publicationDate, edition?.publisher].compactMap { $0 }.joined(separator: ", ")
    }

    private static func format(_ edition: EditionDTO?) -> String? {
        [edition?.knownFormat, edition?.pageCount.map { "\($0) pages" }].compactMap { $0 }.joined(separator: ", ")
    }

    private static func language(_ book: SearchHit) -> String? {
        guard let original = book.work.originalLanguage, original != book.edition?.language else {
            return book.edition?.language
        }
        return book.edition?.language.map { "\($0), translated from \(original)" } ?? original
    }

    private static func quality(_ work: WorkDTO) -> String {
        "\(work.isbndbQuality) of 100" + (work.reviewStatus == .needsReview ? "; the match needs review" : "")
    }

    private static func providers(_ book: SearchHit) -> String {
        let all = (book.work.contributors ?? []) + (book.edition?.contributors ?? [])
        return Set(all).sorted().map(\.displayName).joined(separator: ", ")
    }
}

/// A work from a search, with its edition.
struct SearchHit {
    let work: WorkDTO
    /// The edition at the work's position in the response; nil if there is none.
    let edition: EditionDTO?
    /// The authors; nil if the response has several works, because it does not assign authors to works (http-api.md "Searches").
    let authors: [AuthorDTO]?

    /// The books in a response, at most `limit`.
    static func books(of results: SearchResults, limit: Int? = nil) -> [SearchHit] {
        let works = results.works.prefix(limit ?? results.works.count)
        return works.enumerated().map { place, work in
            SearchHit(
                work: work, edition: place < results.editions.count ? results.editions[place] : nil,
                authors: results.works.count == 1 ? results.authors : nil)
        }
    }

    var title: String { work.title }

    /// Year of the first publication, otherwise of this edition.
    var year: String {
        if let year = work.firstPublicationYear { return YearText.text(year) }
        return edition?.publicationDate.map { String($0.prefix(4)) } ?? ""
    }

    /// The cover of the work, otherwise of this edition.
    var cover: String? { work.coverImageURL ?? edition?.coverImageURL }
}

extension EditionDTO {
    /// The ISBN-13, otherwise any other ISBN.
    var preferredISBN: String? { isbns.first { $0.count == 13 } ?? isbn }

    /// The format; nil if it is a guess.
    var knownFormat: String? { formatInferred == true ? nil : format.rawValue }
}

extension DataProvider {
    /// The provider's name for users.
    var displayName: String {
        switch self {
        case .openLibrary: "Open Library"
        case .googleBooks: "Google Books"
        case .isbndb: "ISBNdb"
        case .gemini: "Gemini"
        }
    }
}
