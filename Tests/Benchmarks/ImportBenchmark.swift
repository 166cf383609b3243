import ArgumentParser
import Foundation
import LibraryImport
import TestSupport

/// A generated Goodreads export of 10 MB that is read on one thread, and one of 50 000 rows that is imported over HTTP with a linked enrichment.
struct ImportBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Reading a library file, importing one, and small jobs during its enrichment")

    @Option(help: "Size of the file, in megabytes.")
    var megabytes = 10

    @Option(help: "Duration of each measurement of reading alone, in seconds.")
    var seconds = 2.0

    @Option(help: "Number of rows in the imported library.")
    var rows = 50_000

    func run() async throws {
        try await readFile()
        try await ImportedLibrary(rows: rows).run()
    }

    private func readFile() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        try GoodreadsFile.bytes(megabytes * 1_000_000).write(to: file)
        let table = try LibraryTable(path: file.path)
        try measure("encoding and structure recognized", table, target: nil) { _ = try LibraryTable(path: file.path) }
        try measure("rows walked", table, target: 200) {
            try table.forEachRow(hasHeader: true) { precondition($0.count == 24, "a row does not have 24 cells") }
        }
        try measure("read to the end: columns, books and pages", table, target: 60) {
            _ = try LibraryReading(table).read { _ in }
        }
        try measure("rows walked, six cells of each converted to strings", table, target: nil) {
            var length = 0
            try table.forEachRow(hasHeader: true) { row in
                for column in [1, 2, 5, 6, 7, 18] { length += row[column].utf8.count }
            }
            precondition(length > 0, "the cells contain no text")
        }
    }

    private func measure(_ name: String, _ table: LibraryTable, target: Double?, _ body: () throws -> Void) throws {
        var count = 0
        let begun = ContinuousClock.now
        repeat {
            try body()
            count += 1
        } while (ContinuousClock.now - begun).seconds < seconds
        let rate = Double(table.byteCount * count) / 1_000_000 / (ContinuousClock.now - begun).seconds
        Figure(name: name, value: rate, unit: "MB/s", target: target, direction: .atLeast).report()
    }
}

/// Exports in the format that Goodreads has used since 2022, with invented books. A row has about 204 bytes, so a file of
/// 10 MB has fewer than 50 000 rows, and a file of 50 000 rows has less than 10 MiB; these are the limits of an import.
enum GoodreadsFile {
    private static let header =
        "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
        + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
        + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n"

    /// A file of at least `size` bytes.
    static func bytes(_ size: Int) -> Data {
        var random = SeededGenerator(seed: 10)
        var text = header
        var number = 0
        while text.utf8.count < size {
            number += 1
            text += row(number, isbn: isbn(&random), &random)
        }
        return Data(text.utf8)
    }

    /// A file with one row for each ISBN.
    static func text(_ isbns: [String]) -> String {
        var random = SeededGenerator(seed: 10)
        return header + isbns.enumerated().map { row($0 + 1, isbn: $1, &random) }.joined()
    }

    /// A random ISBN with its check digit.
    private static func isbn(_ random: inout SeededGenerator) -> String {
        let stem = 978_000_000_000 + Int.random(in: 0..<1_000_000_000, using: &random)
        var (sum, rest, weight) = (0, stem, 3)
        while rest > 0 {
            sum += weight * (rest % 10)
            (rest, weight) = (rest / 10, 4 - weight)
        }
        return "\(stem * 10 + (10 - sum % 10) % 10)"
    }

    private static func row(_ number: Int, isbn: String, _ random: inout SeededGenerator) -> String {
        let (first, last) = (RandomText.letters(using: &random), RandomText.letters(using: &random))
        let title = (0..<Int.random(in: 1...2, using: &random)).map { _ in RandomText.letters(using: &random) }
            .joined(separator: " ")
        let review = number.isMultiple(of: 9) ? "\"One line,<br/>and \"\"é\"\" more.\"" : ""
        let book =
            "\(number),\"\(title) (Series, #\(number % 7))\",\(first) \(last),\"\(last), \(first)\",,"
            + "\"=\"\"\"\"\",\"=\"\"\(isbn)\"\"\",\(number % 6),3.96,\(last) Press,Mass Market Paperback,"
        let reading =
            "\(100 + number % 900),2015,2011,,2021/10/02,to-read,to-read (#\(number)),to-read,\(review),,,1,0\n"
        return book + reading
    }
}
