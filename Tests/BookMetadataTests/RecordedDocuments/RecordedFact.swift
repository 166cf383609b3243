import BookIdentifiers
import BookMetadata

/// One line of a table of expected facts, or the same line made from a normalized record.
struct RecordedFact: Hashable, CustomStringConvertible {
    let description: String

    private static let maxAuthors = 8

    init(line: String) {
        description = line
    }

    init(_ edition: EditionRecord) {
        let names = edition.authors.isEmpty ? edition.authorKeys : edition.authors.map(\.name)
        self.init(
            identifier: edition.identifiers.openLibraryEdition ?? edition.identifiers.googleVolumes.first,
            isbns: edition.isbns.map(\.isbn13).joined(separator: " "), title: edition.title, authors: names,
            date: edition.publicationDate, pages: edition.pageCount, languages: edition.language.map { [$0] } ?? [])
    }

    init(_ work: WorkRecord) {
        self.init(
            identifier: work.key, isbns: work.statedISBNs.isEmpty ? "" : String(work.statedISBNs.count),
            title: work.title,
            authors: work.authors.isEmpty ? work.authorKeys : work.authors.map(\.name),
            date: work.firstPublicationYear.map(String.init), pages: nil, languages: [])
    }

    private init(
        identifier: String?, isbns: String, title: String?, authors: [String], date: String?, pages: Int?,
        languages: [String]
    ) {
        let shownAuthors = authors.count > Self.maxAuthors ? authors.prefix(Self.maxAuthors) + ["…"] : authors[...]
        let columns: [String?] = [
            identifier, isbns, title, shownAuthors.joined(separator: "; "), date, pages.map(String.init),
            languages.joined(separator: " "),
        ]
        description = columns.map { $0.flatMap { $0.isEmpty ? nil : $0 } ?? "-" }.joined(separator: " | ")
    }

    /// A table's lines by the file that they describe.
    static func table(_ text: String) -> [String: [RecordedFact]] {
        var facts: [String: [RecordedFact]] = [:]
        var file = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# ") {
                file = String(line.dropFirst(2))
            } else {
                facts[file, default: []].append(RecordedFact(line: String(line)))
            }
        }
        return facts
    }
}

/// The facts of each recorded ISBNdb book, read by hand. Columns: identifier, ISBN-13s, title, authors, date, pages,
/// language; `-` for a missing value.
enum ExpectedISBNdbBooks {
    static let facts = RecordedFact.table(
        """
        # books
        - | 9780134093413 | Campbell Biology (11th Edition) | Lisa A. Urry; Michael L. Cain; Steven A. Wasserman; Peter V. Minorsky; \
        Jane B. Reece | 2017 | 1488 | en
        - | 9781338878929 | Harry Potter and the Sorcerer's Stone | J.K. Rowling | 1998-09 | 309 | en
        - | 9780000001566 | 教えます！花嫁衣装 のトレンドニュース | Orvig; Glen Martin; Ron Jenson | 2015 | - | en
        - | 9780000002259 | 確定申告、住宅ローン控除とは？ | 田中 卓也 | - | - | en
        """)
}
