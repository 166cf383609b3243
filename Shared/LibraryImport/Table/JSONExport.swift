import JSON

/// The records of a JSON document as rows of a table.
///
/// A record is an object: a member of the outermost object (as in LibraryThing's exports), an element of an array, or else the outermost object
/// itself. The first row contains the names of all members, in order of first occurrence. A member of an inner object becomes a column `outer.inner`.
/// Several values of one column, in arrays or under numbers (`"isbn": {"0": …, "2": …}`), are joined by `; `.
struct JSONExport: Sendable {
    /// Maximum depth of nested objects.
    private static let depth = 6
    /// Maximum size of a document, because it is kept in memory.
    private static let sizeLimit = 64 << 20
    private static let separator = "; "

    private let document: JSONDocument
    private let bytes: [UInt8]
    private let decoder: CellDecoder
    /// Size of the file, which differs from that of the text if the text was decoded.
    private let byteCount: Int
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
        bytes = try Self.utf8(source, text)
        do {
            document = try JSONDocument(bytes)
        } catch {
            throw .invalidJSON(line: error.place(in: bytes).line, reason: error.reason(in: "document"))
        }
        decoder = CellDecoder(.utf8, fallback: .windows1252, hasOtherBytes: false)
        var columns = Columns()
        for record in Self.records(document) {
            Self.forEachValue(record) { name, _ in _ = columns.index(name) }
            guard columns.names.count <= limits.columns else {
                throw .tooManyColumns(line: 1, limit: limits.columns)
            }
        }
        guard !columns.names.isEmpty else { throw .invalidJSON(line: 1, reason: "the document has no records") }
        self.columns = columns.names
    }

    /// Passes the header row to `body`, and a row for each record that is not blank.
    func forEachRow(_ body: (TableRow) throws -> Void) throws {
        try body(TableRow(columns))
        var columns = Columns()
        for name in self.columns { _ = columns.index(name) }
        var line = 1
        var place = 0
        var scratch: [UInt8] = []
        for record in Self.records(document) {
            line += bytes[place..<record.range.lowerBound].count { $0 == RecordScanner.lineFeed }
            place = record.range.lowerBound
            var cells = [[String]](repeating: [], count: columns.names.count)
            Self.forEachValue(record) { name, value in cells[columns.index(name)].append(value) }
            var row = TableRow(cells.map { $0.joined(separator: Self.separator) }, lineNumber: line)
            row.byteEnd = min(record.range.upperBound, byteCount)
            row.decode(decoder, &scratch)
            if !row.isBlank { try body(row) }
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

    private static func forEachValue(_ record: JSONNode, _ body: (String, String) -> Void) {
        forEachValue(record, name: "", depth: 0, body)
    }

    private static func forEachValue(_ node: JSONNode, name: String, depth: Int, _ body: (String, String) -> Void) {
        if node.isObject {
            guard depth < Self.depth else { return }
            for (key, value) in node.members {
                let inner =
                    key.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } ? name : name.isEmpty ? key : name + "." + key
                forEachValue(value, name: inner, depth: depth + 1, body)
            }
        } else if node.isArray {
            guard depth < Self.depth else { return }
            for element in node.elements { forEachValue(element, name: name, depth: depth + 1, body) }
        } else if let text = node.string ?? node.number ?? node.bool.map(String.init), !text.isEmpty {
            body(name.isEmpty ? "value" : name, text)
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
