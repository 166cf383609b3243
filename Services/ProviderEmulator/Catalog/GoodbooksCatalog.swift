import BookIdentifiers
import Foundation

/// The books of a goodbooks-10k list (columns `isbn`, `authors`, `original_publication_year`, `original_title`, `title`,
/// `language_code`). Its ISBN-10s lack their leading zeros, which are restored; rows without a title or a usable ISBN are skipped.
struct GoodbooksCatalog: Sendable {
    let books: [CatalogBook]
    /// Number of skipped rows.
    let refused: Int

    /// - Throws: An error if the file cannot be read.
    init(file: URL, knownFraction: Double) throws {
        let rows = CSVTable.rows(try String(contentsOf: file, encoding: .utf8))
        let columns = Dictionary(
            (rows.first ?? []).enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let fraction = KnownFraction(knownFraction)
        books = rows.dropFirst().compactMap { row in
            Self.book(fraction) { name in
                columns[name].flatMap { $0 < row.count && !row[$0].isEmpty ? row[$0] : nil }
            }
        }
        refused = max(rows.count - 1, 0) - books.count
    }

    private static func book(_ fraction: KnownFraction, column: (String) -> String?) -> CatalogBook? {
        guard let number = column("isbn"), let isbn = try? ISBN.parse(number).isbn, let title = title(column) else {
            return nil
        }
        return CatalogBook(
            isbn: isbn, title: title.edition,
            authors: (column("authors") ?? "").split(separator: ", ").map(String.init),
            firstPublished: column("original_publication_year").flatMap { Double($0) }.flatMap { Int(exactly: $0) },
            language: language(column("language_code")), work: title.work,
            knownTo: fraction.providers(knowing: isbn))
    }

    /// The edition's title without the series in parentheses at its end, and the work's original title, if given.
    private static func title(_ column: (String) -> String?) -> (edition: String, work: String?)? {
        let original = column("original_title")
        guard let title = column("title") ?? original else { return nil }
        guard title.hasSuffix(")"), let open = title.lastIndex(of: "("), open > title.startIndex else {
            return (title, original)
        }
        return (String(title[..<open].reversed().drop { $0 == " " }.reversed()), original)
    }

    private static func language(_ code: String?) -> CatalogLanguage? {
        code.flatMap { code in
            CatalogLanguage(rawValue: code) ?? (code.hasPrefix("en") ? .english : nil)
        }
    }
}
