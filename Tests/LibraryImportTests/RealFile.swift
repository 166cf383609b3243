import Foundation
import LibraryImport
import TestSupport

/// One of the real library files in the shared test data.
struct RealFile: Sendable {
    let name: String
    /// The first rows of the file, from which columns are recognized, including the header if there is one.
    let rows: [[String]]
    /// The plan recognized for the unmodified file.
    let plan: ColumnPlan

    static let folder = "library_exports"

    /// Names of all files.
    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: TestData.root.appending(path: folder).path).sorted()
    }

    static func path(_ name: String) -> String { TestData.root.appending(path: folder).appending(path: name).path }

    init(_ name: String) throws {
        self.name = name
        let table = try LibraryTable(path: Self.path(name))
        plan = try LibraryReading(table).plan()
        rows = table.leadingRows.prefix(81).map(\.cells)
    }

    /// Rows as text.
    static func text(_ rows: [[String]], delimiter: Character = ",") -> String {
        rows.map { row in
            row.map { cell in
                let needsQuotes = cell.contains { $0 == delimiter || $0 == "\"" || $0.isNewline || $0 == " " }
                return needsQuotes ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
            }.joined(separator: String(delimiter)) + "\n"
        }.joined()
    }
}
