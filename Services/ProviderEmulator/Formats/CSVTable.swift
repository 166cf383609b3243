/// Rows of comma-separated values (RFC 4180).
struct CSVTable {
    /// - Returns: All rows with their fields, without the quotation marks.
    static func rows(_ text: String) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field: [UInt8] = []
        var quoted = false
        var bytes = text.utf8.makeIterator()
        var pending = bytes.next()
        while let byte = pending {
            pending = bytes.next()
            switch byte {
            case UInt8(ascii: "\"") where quoted && pending == UInt8(ascii: "\""):
                field.append(byte)
                pending = bytes.next()
            case UInt8(ascii: "\""): quoted.toggle()
            case UInt8(ascii: ",") where !quoted:
                row.append(String(decoding: field, as: UTF8.self))
                field.removeAll(keepingCapacity: true)
            case UInt8(ascii: "\r") where !quoted: break
            case UInt8(ascii: "\n") where !quoted:
                row.append(String(decoding: field, as: UTF8.self))
                field.removeAll(keepingCapacity: true)
                rows.append(row)
                row.removeAll(keepingCapacity: true)
            default: field.append(byte)
            }
        }
        if !field.isEmpty || !row.isEmpty { rows.append(row + [String(decoding: field, as: UTF8.self)]) }
        return rows
    }
}
