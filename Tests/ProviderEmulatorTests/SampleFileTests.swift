import BookIdentifiers
import Foundation
import Testing

@testable import ProviderEmulator

@Suite("Sample files of deploy")
struct SampleFileTests {
    private func text(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        return try String(contentsOf: root.appending(path: "deploy/sample/\(name)"), encoding: .utf8)
    }

    @Test("the list has known books, unknown ones and damaged lines")
    func list() throws {
        let lines = try text("isbns.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        let known = Set(SampleCatalogue.books.filter { !$0.knownTo.isEmpty }.map(\.isbn))
        let numbers = lines.compactMap { try? ISBN.parse($0).isbn }
        #expect(numbers.count { known.contains($0) } >= 60)
        #expect(numbers.count { !known.contains($0) } == 4)
        #expect(lines.count - numbers.count == 4)
    }

    @Test("the table has rows without ISBN and rows with damaged ones")
    func table() throws {
        let rows = CSVReader.rows(try text("books.csv"))
        #expect(rows.first == ["title", "author", "isbn"])
        #expect(rows.allSatisfy { $0.count == 3 })
        let numbers = rows.dropFirst().map { $0[2] }
        #expect(numbers.count { $0.isEmpty } >= 8)
        #expect(numbers.contains { $0.contains("E+12") })
        #expect(numbers.contains { (try? ISBN.parse($0))?.repair != nil })
    }
}
