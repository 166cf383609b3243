import BookstrackContract
import Foundation
import LibraryImport
import TestSupport
import Testing

/// The facts about one real file, counted by hand (`RealFileFacts.tsv`).
struct RealFileFact: Sendable, CustomTestStringConvertible {
    let file: String
    let format: String
    /// Rows, books, duplicates, errors and skipped rows; then books with an ISBN, books with a rating, and books by
    /// status.
    let figures: [Int]

    var testDescription: String { file }

    static let names = [
        "rows", "books", "duplicates", "errors", "skipped", "with ISBN", "rated", "to read", "reading", "read",
        "not finished",
        "without status",
    ]

    static let all: [RealFileFact] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "RealFileFacts.tsv")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t").map(String.init)
            return RealFileFact(file: fields[0], format: fields[1], figures: fields.dropFirst(2).compactMap { Int($0) })
        }
    }()
}

@Suite("Books and counts of real library files", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct RealFileFactTests {
    @Test("the figures of every real file are those that were counted by hand", arguments: RealFileFact.all)
    func facts(fact: RealFileFact) throws {
        try Self.check(fact)
    }

    private static func check(_ fact: RealFileFact) throws {
        var books: [ImportedBook] = []
        let reading = LibraryReading(try LibraryTable(path: RealFile.path(fact.file)))
        let summary = try reading.readRows { if case .book(let book) = $0 { books.append(book) } }
        let counts: [ReadingStatus?] = [.toRead, .reading, .read, .didNotFinish, nil]
        let figures =
            [
                summary.totalRows, summary.booksCreated, summary.duplicatesSkipped, summary.errorCount,
                summary.skippedRows,
                books.count { $0.isbn != nil }, books.count { $0.rating != nil },
            ] + counts.map { status in books.count { $0.status == status } }
        #expect(summary.source.format.rawValue == fact.format)
        for (name, (found, expected)) in zip(RealFileFact.names, zip(figures, fact.figures)) {
            #expect(found == expected, "\(name)")
        }
    }

    @Test("every row of every real file is accounted for", arguments: RealFileFact.all)
    func accounting(fact: RealFileFact) throws {
        var (books, duplicates, errors, skipped) = (0, 0, 0, 0)
        let summary = try LibraryReading(try LibraryTable(path: RealFile.path(fact.file))).readRows { outcome in
            switch outcome {
            case .book(let book):
                books += 1
                duplicates += book.duplicateRows.count
            case .error: errors += 1
            case .skipped: skipped += 1
            }
        }
        #expect(books == summary.booksCreated)
        #expect(duplicates == summary.duplicatesSkipped)
        #expect(errors == summary.errorCount)
        #expect(skipped == summary.skippedRows)
        #expect(books + duplicates + errors + skipped == summary.totalRows)
    }

    @Test("a list of authors is rejected because it contains no books")
    func authorsOnly() throws {
        let table = try LibraryTable(path: RealFile.path("saganawski_author_list_no_header.csv"))
        #expect(throws: ImportFailure.noUsableColumn(found: ["0"])) { try LibraryReading(table).plan() }
    }

    @Test("facts are recorded for every real file")
    func complete() throws {
        let known = Set(RealFileFact.all.map(\.file) + ["saganawski_author_list_no_header.csv"])
        #expect(try RealFile.names().filter { !known.contains($0) } == [])
    }
}
