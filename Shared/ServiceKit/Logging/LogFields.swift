import Logging

/// A message's metadata in the order of their names.
struct LogFields: Encodable {
    /// A metadata value; lists and nested fields stay what they are in JSON.
    enum Value: Encodable {
        case text(String)
        case list([Value])
        case fields(LogFields)

        init(_ value: Logger.MetadataValue) {
            switch value {
            case .string(let text): self = .text(text)
            case .stringConvertible(let thing): self = .text(thing.description)
            case .array(let values): self = .list(values.map(Value.init))
            case .dictionary(let metadata): self = .fields(LogFields(metadata))
            }
        }

        /// The value in a pretty line.
        var text: String {
            switch self {
            case .text(let text): text
            case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
            case .fields(let fields):
                "{" + fields.entries.map { "\($0.key)=\($0.value.text)" }.joined(separator: ", ") + "}"
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let text): try text.encode(to: encoder)
            case .list(let values): try values.encode(to: encoder)
            case .fields(let fields): try fields.encode(to: encoder)
            }
        }
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let entries: [(key: String, value: Value)]

    init(_ metadata: Logger.Metadata) {
        entries = metadata.sorted { $0.key < $1.key }.map { ($0.key, Value($0.value)) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for entry in entries { try container.encode(entry.value, forKey: Name(stringValue: entry.key)) }
    }
}
