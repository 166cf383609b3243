import JSON

/// A JSON document as the emulator builds or reads it. It keeps the order of members and the text of numbers, so a recorded response
/// is served unchanged.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// The number literal as written (RFC 8259 §6).
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Equatable, Sendable {
        let name: String
        let value: JSONValue
    }

    /// An object with those members that have a value.
    static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    static func strings(_ texts: [String]) -> JSONValue {
        .array(texts.map(JSONValue.string))
    }

    /// An array of strings; nil if there are none, since providers omit empty lists.
    static func present(_ texts: [String]) -> JSONValue? {
        texts.isEmpty ? nil : strings(texts)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0, value: $1) })
    }

    static func integer(_ value: Int) -> JSONValue { .number(String(value)) }
}

extension JSONValue {
    /// The member's value; the last one if the name is repeated.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text)
    }

    /// The elements of an array; empty for other values.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The members of an object; empty for other values.
    var objectMembers: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// The strings among an array's elements.
    var texts: [String] {
        elements.compactMap(\.text)
    }

    /// The object with `name` set to `value`, at the member's previous position or at the end; other values are returned unchanged.
    func setting(_ name: String, to value: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        let member = Member(name: name, value: value)
        if let index = members.lastIndex(where: { $0.name == name }) {
            members[index] = member
        } else {
            members.append(member)
        }
        return .object(members)
    }
}

extension JSONValue {
    /// Parses a JSON text. A leading byte order mark is allowed, since some recorded responses have one.
    init(parsing text: [UInt8]) throws(JSONFault) { self.init(try JSONDocument(text).root) }

    private init(_ node: JSONNode) {
        if node.isObject {
            self = .object(node.members.map { Member(name: $0.key, value: JSONValue($0.value)) })
        } else if node.isArray {
            self = .array(node.elements.map { JSONValue($0) })
        } else if let text = node.string {
            self = .string(text)
        } else if let number = node.number {
            self = .number(number)
        } else {
            self = node.bool.map(JSONValue.bool) ?? .null
        }
    }
}

extension JSONValue {
    /// The value as compact UTF-8 JSON text.
    var rendered: [UInt8] {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return bytes
    }

    func write(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .string(let text): Self.write(text, into: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, into: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Writes a quoted string; escapes only what RFC 8259 §7 requires. Unlike `JSONString`, it writes line breaks as `\n`, as in recorded responses.
    static func write(_ text: String, into bytes: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
