import Foundation
import JSON

/// A complete value, as one of the views reads it.
enum Tree {
    case object([String: Tree])
    case array([Tree])
    case text(String)
    case number(Double)
    case flag(Bool)
    case null
    /// A value that the view does not decode.
    case skipped

    /// Whether this value equals `value`, which `JSONSerialization` returned.
    func agrees(with value: Any) -> Bool {
        switch (self, value) {
        case (.object(let own), let value as [String: Any]):
            own.count == value.count && own.allSatisfy { name, tree in value[name].map(tree.agrees) ?? false }
        case (.array(let own), let value as [Any]):
            own.count == value.count && zip(own, value).allSatisfy { $0.agrees(with: $1) }
        case (.text(let own), let value as String): own == value
        // Foundation keeps long numbers as decimals, whose conversion to Double is off by some units in the last place.
        case (.number(let own), let value as NSNumber):
            abs(own - value.doubleValue) <= abs(own) * 8 * .ulpOfOne || own == value.doubleValue
        case (.flag(let own), let value as NSNumber): own == value.boolValue
        case (.null, is NSNull), (.skipped, is NSNumber), (.skipped, is NSNull): true
        default: false
        }
    }
}

// MARK: The pull reader

extension Tree {
    init(_ reader: inout JSONReader) throws {
        switch try reader.peek() {
        case .object:
            var members: [String: Tree] = [:]
            try reader.readObject { members[$1] = try Tree(&$0) }
            self = .object(members)
        case .array:
            var elements: [Tree] = []
            try reader.readArray { elements.append(try Tree(&$0)) }
            self = .array(elements)
        case .string: self = .text(try reader.readString())
        case .number, .boolean, .null:
            try reader.skipValue()
            self = .skipped
        }
    }
}

// MARK: The document

extension Tree {
    init(_ node: JSONNode) {
        if node.isObject {
            self = .object(Dictionary(node.members.map { ($0.key, Tree($0.value)) }) { $1 })
        } else if let text = node.string {
            self = .text(text)
        } else if let flag = node.bool {
            self = .flag(flag)
        } else if let number = node.int {
            self = .number(Double(number))
        } else if node.isArray {
            self = .array(node.elements.map(Tree.init))
        } else {
            self = .skipped
        }
    }
}

// MARK: The decoder and the writer

extension Tree: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                try members.allKeys.reduce(into: [:]) { $0[$1.stringValue] = try members.decode(Tree.self, forKey: $1) }
            )
        } else if var elements = try? decoder.unkeyedContainer() {
            var trees: [Tree] = []
            while !elements.isAtEnd { trees.append(try elements.decode(Tree.self)) }
            self = .array(trees)
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else {
                self = .number(try value.decode(Double.self))
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, tree) in members { try container.encode(tree, forKey: Name(stringValue: name)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for tree in elements { try container.encode(tree) }
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .number(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .flag(let flag):
            var container = encoder.singleValueContainer()
            try container.encode(flag)
        case .null, .skipped:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
