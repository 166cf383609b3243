import BookMetadata
import BookstrackContract
import Foundation
import TestSupport
import Testing

/// Candidate lists that contain derivatives and volumes of the book, with or without the book itself.
@Suite("Matching among near-duplicates", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct NearDuplicateTests {
    struct Reader {
        let query: BookQuery
        /// The title in the catalog, which may differ from the reader's spelling.
        let cataloged: String
        let authors: [String]
        /// The number of the book's record, as in the export.
        let record: String
    }

    /// A title that catalogs derive from a book's title, for the same book or for a different one (`NearDuplicates.tsv`).
    private struct Derivative {
        let form: String
        let isSameBook: Bool

        func title(for reader: Reader) -> String {
            form.replacingOccurrences(of: "%", with: reader.cataloged)
                .replacingOccurrences(of: "@", with: reader.authors[0])
        }

        static func all() throws -> [Derivative] {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "NearDuplicates.tsv")
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
                let fields = line.split(separator: "\t")
                try #require(fields.count == 2, "\(line)")
                return Derivative(form: String(fields[0]), isSameBook: fields[1] == "same")
            }
        }
    }

    @Test("the right book is almost always found among near-duplicates, and another candidate is almost never verified")
    func nearDuplicates() throws {
        var (natural, beside, instead, without) = (MatchTally(), MatchTally(), MatchTally(), MatchTally())
        let derivatives = try Derivative.all().filter { !$0.isSameBook }
        for (index, reader) in try Self.readers().enumerated() {
            let book = try candidate(reader.cataloged, by: reader.authors, key: "OL1W")
            let others = try (0..<5).map { number in
                // Five near-duplicates, different ones for each book.
                let title = derivatives[(index * 5 + number) % derivatives.count].title(for: reader)
                return try candidate(title, by: reader.authors, key: "OL\(number + 2)W")
            }
            let unrelated = try candidate("Letters and Other Writings", by: reader.authors, key: "OL99W")
            var all = others
            all.insert(book, at: index % (others.count + 1))
            natural.add(TitleMatch.best(for: reader.query, among: [unrelated, book]), of: reader.query, expected: book)
            beside.add(TitleMatch.best(for: reader.query, among: all), of: reader.query, expected: book)
            instead.add(TitleMatch.best(for: reader.query, among: others), of: reader.query, expected: nil)
            let anonymous = BookQuery(title: reader.query.title)
            let namesake = try candidate(reader.cataloged, by: ["Somebody Else"], key: "OL98W")
            without.add(
                TitleMatch.best(for: anonymous, among: others + [namesake, book]), of: anonymous, expected: nil)
        }
        for (name, tally) in [
            ("natural list", natural), ("near-duplicates beside the book", beside), ("near-duplicates alone", instead),
            ("without author, with a namesake", without),
        ] {
            print("library titles, \(name): \(tally.figures)")
            for confusion in tally.confusions.prefix(40) { print("  mistaken for another: \(confusion)") }
            for miss in tally.misses.prefix(name == "natural list" ? 60 : 0) { print("  missed: \(miss)") }
        }
        #expect(natural.recall >= 0.983)
        #expect(natural.wrongShare == 0)
        #expect(beside.recall >= 0.97)
        #expect(beside.wrongShare <= 0.005)
        #expect(instead.wrongShare <= 0.01)
        #expect(without.wrongShare <= 0.01)
    }

    @Test(
        "as the only candidate, the book is accepted in nearly every notation, and a near-duplicate is rejected in nearly every notation"
    )
    func notations() throws {
        var tallies: [Bool: MatchTally] = [:]
        let derivatives = try Derivative.all()
        for (index, reader) in try Self.readers(every: 28).enumerated() {
            for (number, derivative) in derivatives.enumerated() where (index + number).isMultiple(of: 4) {
                let only = try candidate(derivative.title(for: reader), by: reader.authors)
                tallies[derivative.isSameBook, default: MatchTally()].add(
                    TitleMatch.best(for: reader.query, among: [only]), of: reader.query,
                    expected: derivative.isSameBook ? only : nil)
            }
        }
        let (same, other) = (try #require(tallies[true]), try #require(tallies[false]))
        print("library titles, notations of the book: \(same.figures)")
        for miss in same.misses { print("  missed: \(miss)") }
        print("library titles, notations of near-duplicates: \(other.figures)")
        for confusion in other.confusions { print("  mistaken for another: \(confusion)") }
        #expect(same.recall >= 0.98)
        #expect(other.wrongShare <= 0.005)
    }

    @Test("nearly all titles in non-Latin scripts are found among volumes of the same work")
    func otherScripts() throws {
        var tally = MatchTally()
        let readers = try Self.readers(every: 1).filter { reader in
            !(reader.query.title ?? "").unicodeScalars.contains { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
        }
        for (index, reader) in readers.enumerated() {
            let book = try candidate(reader.cataloged, by: reader.authors)
            let volumes = ["%. Том 2", "% 2", "%, כרך 3", "% جلد 2"].map {
                $0.replacingOccurrences(of: "%", with: reader.cataloged)
            }
            var all = try volumes.enumerated().map {
                try candidate($0.element, by: reader.authors, key: "OL\($0.offset + 2)W")
            }
            all.insert(book, at: index % (all.count + 1))
            tally.add(TitleMatch.best(for: reader.query, among: all), of: reader.query, expected: book)
        }
        print("library titles, other scripts: \(tally.figures)")
        for miss in tally.misses { print("  missed: \(miss)") }
        #expect(readers.count > 80)
        #expect(tally.recall >= 0.97)
        #expect(tally.wrongShare == 0)
    }

    /// Readers' titles from library apps' exports, and the same titles as a catalog would print them.
    static func readers(every step: Int = 4) throws -> [Reader] {
        let files = [
            "argv1_goodreads_1451", "books_v3_goodreads_769", "asadisaghar_goodreads_persian_266",
            "eitanshay_goodreads_hebrew_823",
            "gigikenneth_goodreads_289", "helgeegil_goodreads_493", "thomazbastiaanssen_goodreads_468",
        ]
        var seen: Set<String> = []
        let rows = try files.flatMap { try TestData.lines("library_exports/\($0).csv").dropFirst() }.compactMap {
            line -> Reader? in
            let fields = GoodbooksRow.csvFields(line)
            // Reviews span several lines, and their continuation lines do not start with a number.
            guard fields.count > 5, Int(fields[0]) != nil, !fields[1].isEmpty, !fields[2].isEmpty,
                seen.insert(fields[1]).inserted
            else {
                return nil
            }
            return reader(title: fields[1], author: fields[2], record: fields[0], number: seen.count)
        }
        return stride(from: 0, to: rows.count, by: step).map { rows[$0] }
    }

    private static func reader(title: String, author: String, record: String, number: Int) -> Reader {
        var printed = title
        if title.hasSuffix(")"), let bracket = title.lastIndex(of: "("), bracket != title.startIndex {
            printed = String(title[..<bracket]).trimmingCharacters(in: .whitespaces)
        }
        // Catalogs omit some long subtitles, here one in three, and punctuate others differently.
        if number % 3 == 0, let colon = printed.range(of: ": "),
            printed[colon.upperBound...].split(separator: " ").count > 4
        {
            printed = String(printed[..<colon.lowerBound])
        }
        if number % 3 == 1 {
            printed = printed.replacingOccurrences(of: ": ", with: " : ").replacingOccurrences(of: "'", with: "’")
        }
        if number % 4 == 2 { printed = printed.replacingOccurrences(of: " and ", with: " & ") }
        return Reader(
            query: BookQuery(title: title, author: author), cataloged: printed, authors: [author], record: record)
    }
}
