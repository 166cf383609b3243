import JSON

/// The records of a JSON document as rows of a table.
///
/// If the document is an array, its elements are the records. If it is an object, the records are its members if all of them are objects (as in
/// LibraryThing's exports), otherwise the elements of its first list of objects, or else the object itself is the only record. The first row contains
/// the names of all members, in order of first occurrence. A member of an inner object becomes a column `outer.inner`. Several values of one column,
/// in arrays or under numbers (`"isbn": {"0": …, "2": …}`), are joined by `; `.
struct JSONExport: Sendable {
    /// Maximum depth of nested objects and arrays; deeper values are ignored.
    private static let depth = 6
    /// Maximum size of a document in bytes, because it is kept in memory.
    private static let sizeLimit = 64 << 20
    /// Maximum length of a column's name in bytes. Each value's name is composed anew, so this also bounds the time.
    private static let nameLimit = 1 << 10
    private static let separator = "; "

    private let document: JSONDocument
    private let bytes: [UInt8]
    private let decoder: CellDecoder
    /// Size of the file in bytes; the decoded text may have a different size.
    private let byteCount: Int
    private let limits: TableLimits
    let columns: [String]

    /// Whether a text begins like an export: with an object or an array of objects.
    static func isLikely(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let first = text.lazy.filter { $0 > UInt8(ascii: " ") }.prefix(2)
        guard let bracket = first.first else { return false }
        let next = first.dropFirst().first
        switch bracket {
        case UInt8(ascii: "{"): return next == UInt8(ascii: "\"") || next == UInt8(ascii: "}")
        case UInt8(ascii: "["): return next == UInt8(ascii: "{")
        default: return false
        }
    }

    init(_ source: ByteSource, _ text: TextProperties, _ limits: TableLimits) throws(LibraryFileFault) {
        guard source.count <= Self.sizeLimit else {
            throw .invalidJSON(line: 1, reason: "the document is larger than \(Self.sizeLimit >> 20) MiB")
        }
        byteCount = source.count
        self.limits = limits
        let bytes = try Self.utf8(source, text)
        do {
            document = try JSONDocument(bytes)
        } catch {
            throw .invalidJSON(line: error.place(in: bytes).line, reason: error.reason(in: "document"))
        }
        self.bytes = bytes
        decoder = CellDecoder(.utf8, fallback: .windows1252, hasOtherBytes: false)
        var columns = Columns()
        for record in Self.records(document) {
            try Self.forEachValue(record, in: bytes) { (name, _) throws(LibraryFileFault) in
                _ = columns.index(name)
                guard columns.names.count <= limits.columns else {
                    throw .tooManyColumns(line: Self.line(of: record, in: bytes), limit: limits.columns)
                }
            }
        }
        guard !columns.names.isEmpty else { throw .invalidJSON(line: 1, reason: "the document has no records") }
        self.columns = columns.names
    }

    /// Passes the header row to `body`, and a row for each record that is not blank.
    ///
    /// Rows beyond the limit have no cells, because they are only counted.
    func forEachRow(_ body: (TableRow) throws -> Void) throws {
        try body(TableRow(columns))
        var columns = Columns()
        for name in self.columns { _ = columns.index(name) }
        var (line, place, rows) = (1, 0, 0)
        var cells = [String](repeating: "", count: self.columns.count)
        var filled: [Int] = []
        var row = TableRow()
        var scratch: [UInt8] = []
        for record in Self.records(document) {
            line += bytes[place..<record.range.lowerBound].count { $0 == RecordScanner.lineFeed }
            place = record.range.lowerBound
            for index in filled { cells[index] = "" }
            filled.removeAll(keepingCapacity: true)
            try Self.forEachValue(record, in: bytes) { (name, value) throws(LibraryFileFault) in
                let index = columns.index(name)
                if cells[index].isEmpty { filled.append(index) }
                try add(value, to: &cells[index], line: line)
            }
            guard filled.contains(where: { cells[$0].utf8.contains { $0 > UInt8(ascii: " ") } }) else { continue }
            rows += 1
            row.removeAll()
            row.lineNumber = line
            row.byteEnd = min(record.range.upperBound, byteCount)
            if rows <= limits.rows {
                for cell in cells { row.append(cell.utf8) }
                if row.bytes.contains(0) { row.removeZeros() }
                row.decode(decoder, &scratch)
            }
            try body(row)
        }
    }

    /// Adds a value to a cell, which may already contain other values.
    private func add(_ value: String, to cell: inout String, line: Int) throws(LibraryFileFault) {
        let size = cell.isEmpty ? 0 : cell.utf8.count + Self.separator.utf8.count
        guard size + value.utf8.count <= limits.cellBytes else {
            throw .cellTooLong(line: line, limit: limits.cellBytes)
        }
        if cell.isEmpty {
            cell = value
        } else {
            cell += Self.separator
            cell += value
        }
    }

    /// The document's text in UTF-8.
    private static func utf8(_ source: ByteSource, _ text: TextProperties) throws(LibraryFileFault) -> [UInt8] {
        var window = TextWindow(
            source, from: text.start, encoding: text.encoding, blockSize: LibraryTable.blockSize)
        while !window.isLast { try window.advance(to: 0) }
        guard text.encoding.codePage != nil else { return window.text }
        var decoded: [UInt8] = []
        let outcome = window.text.withUnsafeBufferPointer { text.decoder.decode($0, to: &decoded) }
        if case .decoded = outcome { return decoded }
        return window.text
    }

    private static func records(_ document: JSONDocument) -> [JSONNode] {
        let root = document.root
        if root.isArray { return root.elements }
        let values = root.members.map(\.value)
        if values.allSatisfy(\.isObject) { return values }
        if let list = values.first(where: { $0.isArray && $0.elements.first?.isObject == true }) {
            return list.elements
        }
        return [root]
    }

    /// Line of the document on which a value starts.
    private static func line(of node: JSONNode, in bytes: [UInt8]) -> Int {
        1 + bytes[..<node.range.lowerBound].count { $0 == RecordScanner.lineFeed }
    }

    /// Calls `body` with each value of a record that is neither empty nor nested too deeply, and with the name of its column.
    private static func forEachValue(
        _ record: JSONNode, in bytes: [UInt8], _ body: (String, String) throws(LibraryFileFault) -> Void
    ) throws(LibraryFileFault) {
        try forEachValue(record, name: "", depth: 0, in: bytes, body)
    }

    private static func forEachValue(
        _ node: JSONNode, name: String, depth: Int, in bytes: [UInt8],
        _ body: (String, String) throws(LibraryFileFault) -> Void
    ) throws(LibraryFileFault) {
        if node.isObject {
            guard depth < Self.depth else { return }
            for (key, value) in node.members {
                var inner = name
                if !key.utf8.allSatisfy({ $0.isASCIIDigit }) {
                    let outer = name.isEmpty ? 0 : name.utf8.count + 1
                    guard outer + key.utf8.count <= nameLimit else {
                        throw .invalidJSON(
                            line: line(of: value, in: bytes), reason: "a name is longer than \(nameLimit) bytes")
                    }
                    inner = name.isEmpty ? key : name + "." + key
                }
                try forEachValue(value, name: inner, depth: depth + 1, in: bytes, body)
            }
        } else if node.isArray {
            guard depth < Self.depth else { return }
            for element in node.elements {
                try forEachValue(element, name: name, depth: depth + 1, in: bytes, body)
            }
        } else if let text = node.string ?? node.number ?? node.bool.map(String.init), !text.isEmpty {
            try body(name.isEmpty ? "value" : name, text)
        }
    }

    /// Numbers names in order of occurrence.
    private struct Columns {
        private(set) var names: [String] = []
        private var numbers: [String: Int] = [:]

        mutating func index(_ name: String) -> Int {
            if let number = numbers[name] { return number }
            numbers[name] = names.count
            names.append(name)
            return names.count - 1
        }
    }
}
