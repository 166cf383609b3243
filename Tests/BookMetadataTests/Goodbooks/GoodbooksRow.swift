import BookMetadata
import Foundation
import TestSupport

/// A book in goodbooks10k: its title as readers know it, its authors, and the title under which the work first appeared.
struct GoodbooksRow {
    /// The number of the book's record, which users' exports also contain.
    let record: String
    let title: String
    let authors: [String]
    let originalTitle: String

    /// The title as printed on an edition, without the series.
    var printedTitle: String {
        guard let bracket = title.firstIndex(of: "("), bracket != title.startIndex else { return title }
        return String(title[..<bracket]).trimmingCharacters(in: .whitespaces)
    }

    /// The first author, written as in catalogs.
    var invertedAuthor: String {
        let words = authors[0].split(separator: " ")
        guard let family = words.last, words.count > 1 else { return authors[0] }
        return "\(family), \(words.dropLast().joined(separator: " "))"
    }

    /// Words by which an imprecise search would find the book.
    var words: Set<String> {
        let words = "\(printedTitle) \(originalTitle)".lowercased().split { !$0.isLetter && !$0.isNumber }
        return Set(words.map(String.init)).subtracting(["the", "a", "of", "and", "in", "to", "an"])
    }

    /// Whether two rows are the same book.
    func isTwin(of other: GoodbooksRow) -> Bool {
        authors[0] == other.authors[0]
            && (printedTitle.lowercased() == other.printedTitle.lowercased() || originalTitle == other.originalTitle)
    }

    /// The work as in a search response from Open Library: under its original title, with the edition that has the
    /// reader's title.
    ///
    /// - Parameter isEditionListed: If false, the reader's spelling occurs nowhere in the response.
    func work(number: Int, isEditionListed: Bool = true) throws -> WorkRecord {
        let edition: [String: Any] = ["key": "/books/OL\(number)M", "title": printedTitle]
        let document: [String: Any] = [
            "key": "/works/OL\(number)W", "title": originalTitle, "author_name": authors,
            "editions": ["docs": isEditionListed ? [edition] : []],
        ]
        let body = try JSONSerialization.data(withJSONObject: ["docs": [document]])
        return try OpenLibrary.decodeSearch(body)[0]
    }

    /// Every row that has an original title.
    static func all() throws -> [GoodbooksRow] {
        try TestData.lines("goodbooks10k/books_odd_rows.csv").dropFirst().compactMap { line in
            let fields = csvFields(line)
            guard fields.count > 10, !fields[9].isEmpty else { return nil }
            return GoodbooksRow(
                record: fields[1], title: fields[10], authors: fields[7].components(separatedBy: ", "),
                originalTitle: fields[9])
        }
    }

    /// A book with its number in a series: "Catching Fire (The Hunger Games, #2)".
    struct InSeries {
        let row: GoodbooksRow
        let series: String
        let number: String

        init?(_ row: GoodbooksRow) {
            guard row.title.hasSuffix(")"), let open = row.title.lastIndex(of: "("),
                let mark = row.title.range(of: ", #", options: .backwards), mark.lowerBound > open
            else { return nil }
            self.row = row
            series = String(row.title[row.title.index(after: open)..<mark.lowerBound])
            number = String(row.title[mark.upperBound...].dropLast())
        }
    }

    /// The books of each series by one author.
    static func series() throws -> [[InSeries]] {
        let books = try all().compactMap(InSeries.init)
        return Dictionary(grouping: books) { "\($0.series) \($0.row.authors[0])" }.sorted { $0.key < $1.key }.map(
            \.value)
    }

    /// The fields of one line; a cell that spans several lines is not supported.
    static func csvFields(_ line: String) -> [String] {
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
