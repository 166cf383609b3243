import BookMetadata
import BookstrackContract
import Foundation
import TestSupport
import Testing

@Suite("Matching real titles", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct GoodbooksMatchTests {
    /// A row's title as readers know it, its authors, and the title under which the work first appeared.
    private struct Row {
        let title: String
        let authors: String
        let originalTitle: String

        var firstAuthor: Substring { authors.prefix { $0 != "," } }
    }

    @Test("a reader's title finds its work among its author's other books, or nothing, but hardly ever another")
    func goodbooks() throws {
        let rows = try Self.rows()
        let works = try rows.enumerated().map { try Self.work($0.element, number: $0.offset) }
        let booksOfAuthor = Dictionary(grouping: rows.indices) { rows[$0].firstAuthor }
        var (right, wrong, review, none) = (0, 0, 0, 0)
        for index in stride(from: 0, to: rows.count, by: 10) {
            let others = (booksOfAuthor[rows[index].firstAuthor] ?? []).filter { $0 != index }.prefix(8)
            let candidates = (others + [index]).sorted().map { works[$0] }
            let query = BookQuery(title: rows[index].title, author: rows[index].authors)
            switch TitleMatch.best(for: query, among: candidates) {
            case .verified(let match, _) where match.candidate == works[index]: right += 1
            case .verified: wrong += 1
            case .needsReview: review += 1
            case .notFound: none += 1
            }
        }
        print("goodbooks10k titles: verified right \(right), wrong \(wrong), for review \(review), not found \(none)")
        let total = Double(right + wrong + review + none)
        // What is not found is mostly a translation whose original title is in another language.
        #expect(Double(right) > 0.85 * total)
        #expect(Double(wrong) < 0.01 * total)
    }

    private static func rows() throws -> [Row] {
        try TestData.lines("goodbooks10k/books_odd_rows.csv").dropFirst().compactMap { line in
            let fields = csvFields(line)
            guard fields.count > 10, !fields[9].isEmpty else { return nil }
            return Row(title: fields[10], authors: fields[7], originalTitle: fields[9])
        }
    }

    private static func work(_ row: Row, number: Int) throws -> BookCandidate {
        let document: [String: Any] = [
            "key": "/works/OL\(number)W", "title": row.originalTitle,
            "author_name": row.authors.components(separatedBy: ", "),
        ]
        let body = try JSONSerialization.data(withJSONObject: ["docs": [document]])
        return .work(try #require(try OpenLibrary.decodeSearch(body).first))
    }

    /// Fields of one line; this file has no line breaks inside quotes.
    private static func csvFields(_ line: String) -> [String] {
        var fields = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        return fields
    }
}
