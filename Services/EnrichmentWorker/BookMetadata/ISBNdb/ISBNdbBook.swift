import BookIdentifiers
import BookstrackContract
import JSON

/// A book as sent by ISBNdb: one edition.
struct ISBNdbBook {
    let title: String?
    /// The title, followed by the subtitle if ISBNdb has one.
    let longTitle: String?
    let authors: [String]
    let isbns: [String]
    let publisher: String?
    /// The date as text; ISBNdb sends either text or a year as a number.
    let publishedDate: String?
    let pages: Int?
    let language: String?
    let binding: String?
    let edition: String?
    let image: String?
    let synopsis: String?
    let overview: String?
    let subjects: [String]

    init(_ node: JSONNode) {
        title = node["title"]?.string
        longTitle = node["title_long"]?.string
        authors = node.texts("authors")
        isbns = [node["isbn13"], node["isbn"], node["isbn10"]].compactMap { $0?.string }
        publisher = node["publisher"]?.string
        publishedDate = Self.date(node["date_published"]) ?? Self.date(node["publish_date"])
        pages = node["pages"]?.int
        language = node["language"]?.string
        binding = node["binding"]?.string
        edition = node["edition"]?.string
        image = node["image"]?.string
        synopsis = node["synopsis"]?.string
        overview = node["overview"]?.string
        subjects = node.texts("subjects")
    }

    private static func date(_ node: JSONNode?) -> String? { node?.string ?? node?.int.map { String($0) } }
}

extension EditionRecord {
    /// Normalizes an ISBNdb book (metadata.md "Mapping").
    init(_ book: ISBNdbBook) {
        self.init(provider: .isbndb)
        title = ProviderDocument.line(book.title) ?? ProviderDocument.line(book.longTitle)
        subtitle = Self.subtitle(of: title, in: ProviderDocument.line(book.longTitle))
        editionTitle = ProviderDocument.line(book.edition).flatMap { $0.contains(where: \.isLetter) ? $0 : nil }
        authors = AuthorCredit.unique(book.authors.compactMap { AuthorCredit(name: Self.withoutMark($0)) })
        isbns = book.isbns.compactMap(ISBN.init).uniqued()
        publisher = ProviderDocument.line(book.publisher)
        publicationDate = book.publishedDate.flatMap(PublicationDate.normalize)
        pageCount = ProviderDocument.pageCount(book.pages)
        language = book.language.flatMap { LanguageCode.iso6391($0) }
        format = book.binding.flatMap(BookFormat.from)
        cover = book.image.flatMap(CoverImage.isbndb)
        description = book.synopsis.flatMap(PlainText.from) ?? book.overview.flatMap(PlainText.from)
        subjects = book.subjects
        identifiers.isbndb = isbns.first?.isbn13
    }

    /// The part of the long title after the title and a colon; nil if it does not begin with these.
    private static func subtitle(of title: String?, in longTitle: String?) -> String? {
        guard let title, let longTitle, longTitle.hasPrefix(title + ":") else { return nil }
        return ProviderDocument.line(String(longTitle.dropFirst(title.count + 1)))
    }

    /// A name without the mark that the provider adds to names filled in by its programs: "Jane Austen" for "Jane Austen ~autofilled~".
    private static func withoutMark(_ name: String) -> String {
        let mark = "~autofilled~"
        return name.utf8.suffix(mark.utf8.count).elementsEqual(mark.utf8) ? String(name.dropLast(mark.count)) : name
    }
}
