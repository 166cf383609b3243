import BookstrackContract
import JSON
import NIOCore

/// The options sent with a library file, in a form or in the query (imports.md "Routes").
struct ImportRequest: Equatable {
    /// Names of the options.
    static let fields: Set<String> = ["jobId", "mapping", "format", "enrich", "ai"]
    /// Maximum number of keys in a mapping, since a file may have this many columns.
    private static let maxColumns = 512
    /// Maximum length of a header in a mapping, in characters.
    private static let maxHeaderLength = 1_000

    /// The client's own identifier, or a new one.
    var jobId: JobID
    /// Whether a linked job enriches the books.
    var enrich: Bool
    /// Options for the reader, as JSON text: `{"format":"goodreads","mapping":{"Naam":"title"},"ai":false}`; absent options are left out.
    var options: String

    /// Reads the options' strings; an empty string counts as absent, since forms send empty fields. Throws `APIFailure`.
    init(_ fields: [String: String]) throws {
        let fields = fields.filter { !$0.value.isEmpty }
        jobId = try JobID(newFrom: fields["jobId"])
        enrich = try Self.flag("enrich", fields) ?? false
        let options = Options(
            format: try Self.format(fields), mapping: try fields["mapping"].map(Self.mapping),
            ai: try Self.flag("ai", fields))
        self.options = String(buffer: JSONBody.encode(options))
    }

    private struct Options: Encodable {
        var format: LibraryFormat?
        var mapping: [String: String]?
        var ai: Bool?
    }

    private static func flag(_ name: String, _ fields: [String: String]) throws(APIFailure) -> Bool? {
        switch fields[name] {
        case nil: nil
        case "true": true
        case "false": false
        default: throw .invalid(name, "must be true or false")
        }
    }

    private static func format(_ fields: [String: String]) throws(APIFailure) -> LibraryFormat? {
        guard let text = fields["format"] else { return nil }
        guard let format = LibraryFormat(rawValue: text) else { throw .invalid("format", notIn: LibraryFormat.self) }
        return format
    }

    /// Reads `{"Naam":"title","3":"isbn"}`: each key is a header or the number of a column. Whether the file has these columns is checked when the
    /// file is read.
    private static func mapping(_ text: String) throws -> [String: String] {
        var mapping: [String: String] = [:]
        do {
            try JSONReader.read(Array(text.utf8)) { reader in
                guard try reader.peek() == .object else { throw APIFailure.invalid("mapping", "must be a JSON object") }
                try reader.readObject { reader, column in
                    mapping[column] = try reader.readText(at: "mapping.\(column.prefix(32))", limit: 32)
                }
            }
        } catch let fault as JSONFault {
            throw APIFailure.invalid("mapping", "is not JSON: \(fault.reason(in: "mapping"))")
        }
        guard mapping.count <= Self.maxColumns, mapping.keys.allSatisfy({ $0.count <= Self.maxHeaderLength }) else {
            throw APIFailure.invalid("mapping", "has too many keys, or a key that is too long")
        }
        let unknown = mapping.filter { ColumnRole(rawValue: $0.value) == nil }.map(\.key)
        if !unknown.isEmpty { throw badColumns("has an unknown role", unknown) }
        let taken = Dictionary(grouping: mapping.keys) { mapping[$0].flatMap(ColumnRole.init(rawValue:)) }
        let repeated = taken.filter { $0.key?.isRepeatable == false && $0.value.count > 1 }.flatMap(\.value)
        if !repeated.isEmpty {
            throw badColumns("assigns several columns a role that only one column may have", repeated)
        }
        return mapping
    }

    private static func badColumns(_ rule: String, _ columns: [String]) -> APIFailure {
        APIFailure(
            .invalidRequest, "mapping \(rule).",
            details: ["field": "mapping", "columns": .list(columns.sorted().map { String($0.prefix(100)) })])
    }
}
