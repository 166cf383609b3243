import LibraryImport
import TestSupport

/// The suite's own CSV: what is written of any table is read again as it was.
struct WriterStage: FuzzStage {
    let name = "writer"

    func fault(in file: [UInt8], using random: inout SeededGenerator) -> String? {
        guard let table = try? LibraryTable(bytes: file) else { return nil }
        // The suite's own files have a known header and more than two columns; the third cell makes no row blank.
        let header = ["title", "author", "isbn13", "status"]
        var rows: [[String]] = []
        do {
            try table.forEachRow(hasHeader: false) { row in rows.append([row[0], row[1], "9780141439587", row[2]]) }
        } catch { return nil }
        var writer = LibraryCSVWriter(columns: header)
        for row in rows { writer.write(row) }
        var read: [[String]] = []
        do {
            try LibraryTable(bytes: writer.take()).forEachRow(hasHeader: true) { row in
                read.append(row.cells.map(LibraryCSVWriter.restored))
            }
        } catch { return "the file cannot be read: \(error)" }
        // A cell that a repair would change once more was already wrong in the first file.
        if read == rows || table.leadingRows.contains(where: { !$0.problems.isEmpty }) { return nil }
        let place = zip(rows, read).enumerated().first { $0.element.0 != $0.element.1 }
        return "row \(place.map { "\($0.offset): \($0.element)" } ?? "count \(rows.count), \(read.count)")"
    }
}
