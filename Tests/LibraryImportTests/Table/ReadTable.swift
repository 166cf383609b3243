import LibraryImport

/// A table read from a text or from bytes, for tests.
struct ReadTable {
    let shape: TableShape
    private(set) var rows: [TableRow] = []

    init(_ text: String, hasHeader: Bool = false, limits: TableLimits = TableLimits()) throws {
        try self.init(Array(text.utf8), hasHeader: hasHeader, limits: limits)
    }

    init(
        _ bytes: [UInt8], hasHeader: Bool = false, limits: TableLimits = TableLimits(),
        blockSize: Int = LibraryTable.blockSize
    ) throws {
        try self.init(LibraryTable(bytes: bytes, limits: limits, blockSize: blockSize), hasHeader: hasHeader)
    }

    init(_ table: LibraryTable, hasHeader: Bool = false) throws {
        shape = table.shape
        var rows: [TableRow] = []
        try table.forEachRow(hasHeader: hasHeader) { rows.append($0) }
        self.rows = rows
    }

    var cells: [[String]] { rows.map(\.cells) }
    var lines: [Int] { rows.map(\.lineNumber) }
    var problems: [RowProblem] { rows.flatMap(\.problems) }
}

extension LibraryFileFault {
    /// The fault found when reading all rows of a text; nil if there is none.
    static func of(_ text: String, limits: TableLimits = TableLimits()) -> LibraryFileFault? {
        do {
            _ = try ReadTable(text, limits: limits)
            return nil
        } catch {
            return error as? LibraryFileFault
        }
    }
}
