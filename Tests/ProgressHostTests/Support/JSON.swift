import Foundation

/// A JSON value as received; integers and other numbers are distinct.
enum JSON: Equatable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(_ bytes: some Collection<UInt8>) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
    }

    subscript(key: String) -> JSON? { if case .object(let members) = self { members[key] } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int? { if case .integer(let integer) = self { Int(integer) } else { nil } }
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var list: [JSON]? { if case .list(let list) = self { list } else { nil } }

    /// Whether the value contains a null at any depth.
    var hasNull: Bool {
        switch self {
        case .null: true
        case .list(let list): list.contains(where: \.hasNull)
        case .object(let members): members.values.contains(where: \.hasNull)
        case .flag, .integer, .number, .text: false
        }
    }
}

extension JSON: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSON].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }
}
