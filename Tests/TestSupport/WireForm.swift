import JSON
import NIOCore

/// The JSON exchanged between processes and with clients, as text. Members are in the order in which they are encoded.
package enum WireForm {
    /// The text that a peer receives.
    ///
    /// - Throws: `EncodingError` for a number that JSON cannot express.
    package static func of(_ body: some Encodable) throws -> String { String(buffer: try JSONCoding.encode(body)) }

    /// Decodes a value that a peer has sent.
    ///
    /// - Throws: `DecodingError`.
    package static func read<Body: Decodable>(_ type: Body.Type, _ json: String) throws -> Body {
        try JSONCoding.decode(type, from: ByteBuffer(string: json))
    }

    /// One line of JSON that a test writes on several indented lines.
    package static func line(_ layout: String) -> String {
        layout.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    }

    /// The names of the members without which a body cannot be decoded, found by leaving out one member at a time.
    package static func requiredMembers<Body: Decodable>(of type: Body.Type, in json: String) throws -> [String] {
        let members = try read([String: AnyMember].self, json)
        return try members.keys.sorted().filter { name in
            let rest = try of(members.filter { $0.key != name })
            return (try? read(type, rest)) == nil
        }
    }

    /// The paths of members that have the same name as an earlier member of their object; strict decoders refuse such a text.
    ///
    /// - Throws: `JSONFault` if the text is not JSON.
    package static func repeatedMembers(in json: some Sequence<UInt8>) throws -> [String] {
        repeatedMembers(of: try JSONDocument(json).root, at: "")
    }

    private static func repeatedMembers(of value: JSONNode, at path: String) -> [String] {
        var names: Set<String> = []
        var repeated: [String] = []
        for (name, member) in value.members {
            if !names.insert(name).inserted { repeated.append("\(path)/\(name)") }
            repeated += repeatedMembers(of: member, at: "\(path)/\(name)")
        }
        for (index, element) in value.elements.enumerated() {
            repeated += repeatedMembers(of: element, at: "\(path)/\(index)")
        }
        return repeated
    }

    /// A value of any kind except null.
    package indirect enum AnyMember: Codable {
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([AnyMember])
        case object([String: AnyMember])

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([AnyMember].self) {
                self = .list(list)
            } else {
                self = .object(try container.decode([String: AnyMember].self))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .flag(let flag): try container.encode(flag)
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .list(let list): try container.encode(list)
            case .object(let object): try container.encode(object)
            }
        }
    }
}
