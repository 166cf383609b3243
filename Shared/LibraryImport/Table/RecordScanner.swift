/// Cuts a text into records and cells (RFC 4180).
struct RecordScanner {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next record that is not blank.
    mutating func next(_ limits: TableLimits) throws(LibraryFileFault) -> TableRow? {
        while index < bytes.count {
            let row = try record(limits)
            if (0..<row.count).contains(where: { !row.isEmpty($0) }) { return row }
        }
        return nil
    }

    private mutating func record(_ limits: TableLimits) throws(LibraryFileFault) -> TableRow {
        var row = TableRow()
        row.lineNumber = line
        var cell: [UInt8] = []
        var isQuoted = false
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            switch byte {
            case UInt8(ascii: "\"") where isQuoted && index < bytes.count && bytes[index] == byte:
                cell.append(byte)
                index += 1
            case UInt8(ascii: "\""):
                isQuoted.toggle()
            case _ where isQuoted:
                cell.append(byte)
            case UInt8(ascii: ","), UInt8(ascii: "\n"):
                row.append(String(decoding: cell, as: UTF8.self))
                cell = []
                guard row.count <= limits.columns else {
                    throw .tooManyColumns(line: row.lineNumber, limit: limits.columns)
                }
                if byte == UInt8(ascii: "\n") {
                    row.byteEnd = index
                    return row
                }
            case UInt8(ascii: "\r"):
                break
            default:
                cell.append(byte)
            }
            guard cell.count <= limits.cellBytes else {
                throw .cellTooLong(line: row.lineNumber, limit: limits.cellBytes)
            }
        }
        row.append(String(decoding: cell, as: UTF8.self))
        row.byteEnd = index
        return row
    }
}
