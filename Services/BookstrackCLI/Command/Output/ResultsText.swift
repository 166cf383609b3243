import BookstrackContract
import Foundation

/// Turns result rows into text.
enum ResultsText {
    /// The columns of CSV output.
    private static let csvHeader = [
        "asked_title", "asked_author", "asked_isbn", "success", "matched_by", "title", "authors", "isbn", "publisher",
        "publication_date", "pages", "language", "error_code", "error",
    ]

    /// The books found, then those not found and why.
    static func table(_ books: [EnrichedBook], width: Int) -> String {
        let found = books.filter(\.success)
        let missing = books.filter { !$0.success }
        var lines: [String] = []
        if !found.isEmpty {
            lines += ["", "Found (\(found.count)):", ""]
            lines += TextTable(
                header: ["ISBN", "Title", "Authors", "Published", "Pages", "Publisher"], rows: found.map(foundRow)
            ).lines(width: width)
        }
        if !missing.isEmpty {
            lines += ["", "Not found (\(missing.count)):", ""]
            lines += TextTable(header: ["Asked", "Why", "Code"], rows: missing.map(missingRow)).lines(width: width)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// One JSON object with the members of the API's answer.
    static func json(_ results: EnrichmentResults, pretty: Bool) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting =
            pretty ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(results), as: UTF8.self) + "\n"
    }

    /// A header and a row per book (RFC 4180).
    static func csv(_ books: [EnrichedBook]) -> String {
        ([csvHeader] + books.map(csvRow)).map { $0.map(csvCell).joined(separator: ",") + "\r\n" }.joined()
    }

    /// The ISBN is the book's own: that of a row which was found by its title may be damaged, or another book's.
    private static func foundRow(_ book: EnrichedBook) -> [String] {
        let edition = book.enriched?.edition
        let asked = book.matchedBy == .isbn ? book.isbn : nil
        return [
            edition?.isbn ?? asked ?? "", title(book), authors(book), edition?.publicationDate ?? "",
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
            book.errorCode?.rawValue ?? "", book.error ?? "",
        ]
    }

    private static func title(_ book: EnrichedBook) -> String {
        book.enriched.map { $0.edition?.title ?? $0.work.title } ?? ""
    }

    private static func authors(_ book: EnrichedBook) -> String {
        book.enriched?.authors.map(\.name).joined(separator: "; ") ?? ""
    }

    private static func csvCell(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
