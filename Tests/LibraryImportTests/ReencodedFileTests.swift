import BookstrackContract
import Foundation
import LibraryImport
import TestSupport
import Testing

@Suite("Real files in other encodings", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct ReencodedFileTests {
    /// An encoding that spreadsheets and older programs use for files.
    enum Copy: String, CaseIterable, Sendable {
        case utf16LittleWithMark, utf16BigWithMark, utf16Little, utf16Big, windows1250, windows1251, windows1252

        /// The text's bytes; nil if the encoding lacks some of its characters.
        func bytes(_ text: String) -> [UInt8]? {
            switch self {
            case .utf16LittleWithMark: [0xFF, 0xFE] + utf16(text, isBig: false)
            case .utf16BigWithMark: [0xFE, 0xFF] + utf16(text, isBig: true)
            case .utf16Little: utf16(text, isBig: false)
            case .utf16Big: utf16(text, isBig: true)
            case .windows1250: text.data(using: .windowsCP1250).map(Array.init)
            case .windows1251: text.data(using: .windowsCP1251).map(Array.init)
            case .windows1252: text.data(using: .windowsCP1252).map(Array.init)
            }
        }

        private func utf16(_ text: String, isBig: Bool) -> [UInt8] {
            text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        }
    }

    /// Maximum number of rows of a file that are read in each encoding.
    private static let rows = 150

    private static let files = Result {
        try RealFile.names().filter { !$0.hasSuffix(".json") }.map { name in
            let table = try LibraryTable(path: RealFile.path(name))
            return (name, Array(table.leadingRows.prefix(rows).map(\.cells)))
        }
    }

    private static func books(_ bytes: [UInt8]) throws -> [ImportedBook] {
        var books: [ImportedBook] = []
        _ = try LibraryReading(try LibraryTable(bytes: bytes)).readRows { outcome in
            if case .book(let book) = outcome { books.append(book) }
        }
        return books
    }

    @Test(
        "rows converted to another encoding yield as many books, of which at most one in a thousand differs",
        arguments: Copy.allCases)
    func sameBooks(copy: Copy) throws {
        var (compared, wrong) = (0, [String]())
        for (name, rows) in try Self.files.get() where name != "saganawski_author_list_no_header.csv" {
            let encodable = rows.filter { copy.bytes(RealFile.text([$0])) != nil }
            guard encodable.count > 1, encodable.first == rows.first else { continue }
            let text = RealFile.text(encodable)
            let expected = try Self.books(Array(text.utf8))
            let found = try Self.books(try #require(copy.bytes(text)))
            #expect(found.count == expected.count, "\(name)")
            compared += expected.count
            wrong += zip(found, expected).filter { $0 != $1 }.map { "\(name): \($0.title), \($1.title)" }
        }
        #expect(compared > 1_000)
        // A single letter in a name does not reveal the encoding of a list in another language.
        #expect(1_000 * wrong.count <= compared, "\(wrong)")
    }
}
