import BookIdentifiers
import Foundation

/// The books of a goodbooks-10k list (columns `isbn`, `authors`, `original_publication_year`, `original_title`, `title`,
/// `language_code`). Its ISBN-10s have lost their leading zeros; rows whose number cannot be repaired are left out.
struct GoodbooksCatalogue: Sendable {
    let books: [CatalogueBook]
    /// Rows without a usable ISBN.
    let refused: Int

    /// - Throws: The error of a file that cannot be read.
    init(file: URL, knownFraction: Double) throws {
        let rows = CSVReader.rows(try String(contentsOf: file, encoding: .utf8))
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

    private static func book(_ fraction: KnownFraction, column: (String) -> String?) -> CatalogueBook? {
        guard let number = column("isbn"), let isbn = try? ISBN.parse(number).isbn, let title = title(column) else {
            return nil
        }
        return CatalogueBook(
            isbn: isbn, title: title,
            authors: (column("authors") ?? "").split(separator: ", ").map(String.init),
            firstPublished: column("original_publication_year").flatMap { Double($0) }.map { Int($0) },
            language: language(column("language_code")), knownTo: fraction.providers(knowing: isbn))
    }

    /// The original title, or the other one without the series in parentheses at its end.
    private static func title(_ column: (String) -> String?) -> String? {
        if let original = column("original_title") { return original }
        guard let title = column("title") else { return nil }
        guard title.hasSuffix(")"), let open = title.lastIndex(of: "(") else { return title }
        return String(title[..<open].reversed().drop { $0 == " " }.reversed())
    }

    private static func language(_ code: String?) -> CatalogueLanguage? {
        code.flatMap { code in
            CatalogueLanguage(rawValue: code) ?? (code.hasPrefix("en") ? .english : nil)
        }
    }
}
