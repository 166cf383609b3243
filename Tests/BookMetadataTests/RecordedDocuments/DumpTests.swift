import BookIdentifiers
import BookMetadata
import BookstrackContract
import Foundation
import Testing
import TestSupport

/// The tables in `Facts` were written by the normalizers and compared line by line with the tables of an independent
/// reader of the dumps, which shares no code with them. Of the 1 045 lines, only those that differed and a sample of the
/// editions were checked by hand.
@Suite("Open Library dumps", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct DumpTests {
    @Test("every line of the edition dumps is read as expected")
    func editions() throws {
        var count = FieldCount()
        let facts = try lines(["editions_head_1.txt", "editions_tail_n20.txt"]).map { line in
            let edition = try OpenLibrary.decodeEdition(try #require(json(line)).utf8)
            count.add(edition)
            return DumpFact(edition)
        }
        try expect(facts, "dump-editions.txt")
        print("openlibrary dump \(count)")
    }

    @Test("every line of the work dumps is read as expected")
    func works() throws {
        let facts = try lines(["works_head_1.txt", "works_head_n25.txt"]).map { line in
            DumpFact(try OpenLibrary.decodeWork(try #require(json(line)).utf8))
        }
        try expect(facts, "dump-works.txt")
    }

    @Test("malformed lines are rejected, and the other lines are read")
    func broken() throws {
        let lines = try unpacked("ol_dump/editions_sample_with_broken_lines.txt.gz").split(whereSeparator: \.isNewline)
        let editions = lines.map { line in json(String(line)).flatMap { try? OpenLibrary.decodeEdition($0.utf8) } }
        #expect(editions.map { $0 != nil } == [true, true, true, true, true, true, true, false, false])
        #expect(
            editions.compactMap(\.self).map(\.title) == [
                "Index to the House of Lords Parliamentary Debates", editions[1]?.title, "Dune", "Untitled French Work",
                "No Identity Material", nil, "Bad ISBN Only",
            ])
        // A number with an incorrect check digit is not an ISBN, and a record without a title is not a book.
        #expect(editions[6]?.isbns == [])
        #expect(editions[2]?.isbns.map(\.isbn13) == ["9780441172719"])
        let nameless = try #require(editions[5])
        #expect(
            try MetadataMerge.merged(asked: #require(nameless.isbns.first), editions: [nameless], works: [])?.book
                == nil)
    }

    private func lines(_ files: [String]) throws -> [String] {
        try files.flatMap { try TestData.lines("ol_dump/\($0)") }
    }

    /// The fifth column of a line.
    private func json(_ line: String) -> Substring? {
        let columns = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
        return columns.count == 5 ? columns[4] : nil
    }

    private func expect(_ facts: [DumpFact], _ table: String) throws {
        let file = URL(filePath: #filePath).appending(path: "../Facts/\(table)").standardizedFileURL
        let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            DumpFact(line: String($0))
        }
        #expect(facts.count == expected.count)
        for (fact, expected) in zip(facts, expected) { #expect(fact == expected) }
    }

    private func unpacked(_ path: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/gzip")
        process.arguments = ["-dc", TestData.root.appending(path: path).path]
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return String(decoding: bytes ?? Data(), as: UTF8.self)
    }
}

/// The facts in one line of a dump: key, ISBN-13s, title, author keys, date, pages, language, publisher and format for
/// an edition; key, title, author keys and first year for a work.
struct DumpFact: Hashable, CustomStringConvertible {
    let description: String

    init(line: String) {
        description = line
    }

    init(_ edition: EditionRecord) {
        self.init(columns: [
            edition.identifiers.openLibraryEdition, edition.isbns.map(\.isbn13).joined(separator: " "), edition.title,
            edition.authorKeys.joined(separator: " "), edition.publicationDate, edition.pageCount.map(String.init),
            edition.language, edition.publisher, edition.format?.rawValue,
        ])
    }

    init(_ work: WorkRecord) {
        self.init(columns: [
            work.key, work.title, work.authorKeys.joined(separator: " "), work.firstPublicationYear.map(String.init),
        ])
    }

    private init(columns: [String?]) {
        description = columns.map { $0.flatMap { $0.isEmpty ? nil : $0 } ?? "-" }.joined(separator: " | ")
    }
}
