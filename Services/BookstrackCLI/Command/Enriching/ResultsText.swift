import BookstrackContract
import Foundation

/// Formats result rows.
enum ResultsText {
    /// On narrower terminals, only the year of the publication date is shown, to leave room for titles and authors.
    private static let roomyColumns = 100
    private static let missing: [TextTable.Column] = [.init("Requested", .prose), .init("Why", .prose), .init("Code")]
    private static let csv = [
        "asked_title", "asked_author", "asked_isbn", "success", "matched_by", "title", "authors", "isbn", "publisher",
        "publication_date", "pages", "language", "error_code", "error", "reason",
    ].map { TextTable.Column($0) }

    /// The books that were found, then those without a result, in one list per reason.
    static func text(_ books: [EnrichedBook], _ style: OutputStyle) -> String {
        var lines: [String] = []
        func list(_ heading: String, _ meaning: OutputMeaning, _ table: TextTable) {
            lines += ["", style.paint("\(heading) (\(table.rows.count)):", meaning), ""] + table.lines(style)
        }
        let found = books.filter(\.success)
        if !found.isEmpty { list("Found", .ok, table(found, isRoomy: style.width >= roomyColumns)) }
        let others = Dictionary(grouping: books.filter { !$0.success }, by: \.reason)
        for reason in FailureReason.allCases {
            guard let books = others[reason] else { continue }
            list(
                reason.word.prefix(1).uppercased() + reason.word.dropFirst(), reason.isPassing ? .warning : .heading,
                TextTable(columns: missing, rows: books.map(missingRow)))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The rows of CSV output.
    static func csv(_ books: [EnrichedBook]) -> TextTable { TextTable(columns: csv, rows: books.map(csvRow)) }

    private static func table(_ books: [EnrichedBook], isRoomy: Bool) -> TextTable {
        TextTable(
            columns: [
                .init("ISBN"), .init("Title", .text), .init("Authors", .text), .init(isRoomy ? "Published" : "Year"),
                .init("Pages", .figure, least: 5), .init("Publisher", .text, least: 12),
            ], rows: books.map { foundRow($0, isRoomy: isRoomy) })
    }

    /// The row for a found book. It contains that book's own ISBN: if the book was found by title, the requested ISBN may be invalid or belong to a
    /// different book.
    private static func foundRow(_ book: EnrichedBook, isRoomy: Bool) -> [String] {
        let edition = book.enriched?.edition
        let asked = book.matchedBy == .isbn ? book.isbn : nil
        // ISO 8601, as precise as known, so the year comes first.
        let published = edition?.publicationDate ?? ""
        return [
            edition?.isbn ?? asked ?? "", title(book), authors(book),
            isRoomy ? published : String(published.prefix { $0 != "-" }),
            edition?.pageCount.map(String.init) ?? "", edition?.publisher ?? "",
        ]
    }

    private static func missingRow(_ book: EnrichedBook) -> [String] {
        let asked = [book.title, book.author, book.isbn, book.workId].compactMap { $0 }.joined(separator: ", ")
        let again = book.retryable == true ? " (may succeed later)" : ""
        return [asked, (book.error ?? "") + again, book.errorCode?.rawValue ?? ""]
    }

    private static func csvRow(_ book: EnrichedBook) -> [String] {
        let edition = book.enriched?.edition
        return [
            book.title ?? "", book.author ?? "", book.isbn ?? "", book.success ? "true" : "false",
            book.matchedBy?.rawValue ?? "", title(book), authors(book), edition?.isbn ?? "", edition?.publisher ?? "",
            edition?.publicationDate ?? "", edition?.pageCount.map(String.init) ?? "", edition?.language ?? "",
            book.errorCode?.rawValue ?? "", book.error ?? "", book.success ? "" : book.reason.word,
        ]
    }

    private static func title(_ book: EnrichedBook) -> String {
        book.enriched.map { $0.edition?.title ?? $0.work.title } ?? ""
    }

    private static func authors(_ book: EnrichedBook) -> String {
        book.enriched?.authors.map(\.name).joined(separator: "; ") ?? ""
    }
}

extension EnrichedBook {
    /// Why the book has no result. A book without a known error code counts as not found.
    var reason: FailureReason { errorCode.map { FailureReason($0) } ?? .notFound }
}
