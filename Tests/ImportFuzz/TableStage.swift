import LibraryImport
import TestSupport

/// The table of a file: its rows do not depend on how it is read, and its cells are text.
struct TableStage: FuzzStage {
    let name = "table"

    private enum Reading: Equatable {
        case rows([TableRow])
        case fault(LibraryFileFault)
    }

    func fault(in file: [UInt8], using random: inout SeededGenerator) -> String? {
        var limits = TableLimits()
        if Bool.random(using: &random) { (limits.rows, limits.columns, limits.cellBytes) = (20, 6, 40) }
        let whole = read(file, limits, LibraryTable.blockSize)
        let blockSize = Int.random(in: 1...max(1, file.count), using: &random)
        guard read(file, limits, blockSize) == whole else { return "different rows in blocks of \(blockSize) bytes" }
        guard case .rows(let rows) = whole else { return nil }
        return rows.isEmpty ? "no rows and no fault" : faultOfOrder(rows, file.count) ?? faultOfCells(rows, limits)
    }

    private func read(_ file: [UInt8], _ limits: TableLimits, _ blockSize: Int) -> Reading {
        do {
            let table = try LibraryTable(bytes: file, limits: limits, blockSize: blockSize)
            var rows: [TableRow] = []
            try table.forEachRow(hasHeader: false) { rows.append($0) }
            return .rows(rows)
        } catch {
            guard let fault = error as? LibraryFileFault else {
                preconditionFailure("Reading throws only its own faults.")
            }
            return .fault(fault)
        }
    }

    private func faultOfOrder(_ rows: [TableRow], _ length: Int) -> String? {
        for (row, next) in zip(rows, rows.dropFirst()) {
            if next.lineNumber < row.lineNumber { return "line \(next.lineNumber) follows line \(row.lineNumber)" }
            if next.byteEnd < row.byteEnd { return "byte \(next.byteEnd) follows byte \(row.byteEnd)" }
        }
        guard let last = rows.last, last.byteEnd > length else { return nil }
        return "byte \(last.byteEnd) of \(length)"
    }

    private func faultOfCells(_ rows: [TableRow], _ limits: TableLimits) -> String? {
        for row in rows {
            guard row.count <= limits.columns else { return "\(row.count) cells in line \(row.lineNumber)" }
            for column in 0..<row.count {
                let (text, bytes) = (row[column], row.withUTF8(column) { Array($0) })
                if Array(text.utf8) != bytes { return "broken UTF-8 in line \(row.lineNumber)" }
                if text.unicodeScalars.contains("\u{FFFD}") { return "U+FFFD in line \(row.lineNumber)" }
                if text.unicodeScalars.contains("\0") { return "a zero byte in line \(row.lineNumber)" }
            }
            if let problem = row.problems.first(where: { !(0..<row.count).contains($0.column) }) {
                return "problem in column \(problem.column) of \(row.count)"
            }
        }
        return nil
    }
}
