import ArgumentParser
import Foundation
import LibraryImport
import TestSupport

/// A generated Goodreads export of 10 MB, read on one thread.
struct ImportBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Megabytes of a library file read per second")

    @Option(help: "Megabytes of the file.")
    var megabytes = 10

    @Option(help: "Seconds for each figure.")
    var seconds = 2.0

    func run() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        try GoodreadsFile.bytes(megabytes * 1_000_000).write(to: file)
        let table = try LibraryTable(path: file.path)
        try measure("encoding and shape found", table, reach: nil) { _ = try LibraryTable(path: file.path) }
        try measure("rows walked", table, reach: 200) {
            try table.forEachRow(hasHeader: true) { precondition($0.count == 24, "The file is regular.") }
        }
        try measure("rows walked, six cells of each made strings", table, reach: nil) {
            var length = 0
            try table.forEachRow(hasHeader: true) { row in
                for column in [1, 2, 5, 6, 7, 18] { length += row[column].utf8.count }
            }
            precondition(length > 0, "The cells have text.")
        }
    }

    private func measure(_ name: String, _ table: LibraryTable, reach: Double?, _ body: () throws -> Void) throws {
        var count = 0
        let begun = ContinuousClock.now
        repeat {
            try body()
            count += 1
        } while (ContinuousClock.now - begun).seconds < seconds
        let rate = Double(table.byteCount * count) / 1_000_000 / (ContinuousClock.now - begun).seconds
        Figure(name: name, value: rate, unit: "MB/s", reach: reach, direction: .atLeast).report()
    }
}

/// Exports as Goodreads has written them since 2022, with invented books.
private enum GoodreadsFile {
    private static let header =
        "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
        + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
        + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n"

    static func bytes(_ size: Int) -> Data {
        var random = SeededGenerator(seed: 10)
        var text = header
        var row = 0
        while text.utf8.count < size {
            row += 1
            let (first, last) = (RandomText.letters(using: &random), RandomText.letters(using: &random))
            let number = 978_000_000_0000 + Int.random(in: 0..<1_000_000_0000, using: &random)
            let title = (0...4).map { _ in RandomText.letters(using: &random) }.joined(separator: " ")
            let review = row.isMultiple(of: 9) ? "\"One line,<br/>and \"\"é\"\" more.\"" : ""
            text +=
                "\(row),\"\(title), Volume \(row % 7) (Series, #\(row % 7))\",\(first) \(last),\"\(last), \(first)\",,"
            text +=
                "\"=\"\"\(number % 1_000_000_0000)\"\"\",\"=\"\"\(number)\"\"\",\(row % 6),3.96,\(last) Press,Paperback,"
            text += "\(100 + row % 900),2015,2011,2021/11/30,2021/10/02,\"to-read, favourites\","
            text += "\"to-read (#\(row)), favourites (#\(row))\",to-read,\(review),,,1,0\n"
        }
        return Data(text.utf8)
    }
}
