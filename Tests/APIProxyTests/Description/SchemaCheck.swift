import Foundation
@testable import APIProxy

/// Compares JSON with a schema more strictly than JSON Schema does: a key that is not described is a fault.
struct SchemaCheck {
    /// The differences found, with their positions.
    private(set) var faults: [String] = []

    static func faults(of value: some Encodable, against schema: Schema) throws -> [String] {
        var check = SchemaCheck()
        try check.compare(JSONSerialization.jsonObject(with: JSONEncoder().encode(value)), schema, at: "$")
        return check.faults
    }

    mutating func compare(_ value: Any, _ schema: Schema, at place: String) {
        switch schema {
        case .named(let name): compare(value, name.schema, at: place)
        case .object(let properties): compareObject(value, properties, at: place)
        case .list(let element, let most):
            guard let list = value as? [Any], list.count <= most ?? .max else {
                return fail(place, "is not a list or has too many elements")
            }
            for (index, one) in list.enumerated() { compare(one, element, at: "\(place)[\(index)]") }
        case .map(let schema):
            guard let map = value as? [String: Any] else { return fail(place, "is not an object") }
            for (key, one) in map { compare(one, schema, at: "\(place).\(key)") }
        case .anyOf(let schemas):
            let fits = schemas.contains { schema in
                var check = SchemaCheck()
                check.compare(value, schema, at: place)
                return check.faults.isEmpty
            }
            if !fits { fail(place, "matches none of the alternatives") }
        case .oneOf(let schemas):
            let fitting = schemas.filter { schema in
                var check = SchemaCheck()
                check.compare(value, schema, at: place)
                return check.faults.isEmpty
            }
            if fitting.count != 1 { fail(place, "matches \(fitting.count) of the alternatives, not exactly one") }
        default: if !Self.fits(value, schema) { fail(place, "\(value) does not match the schema") }
        }
    }

    private mutating func compareObject(_ value: Any, _ properties: [Property], at place: String) {
        guard let object = value as? [String: Any] else { return fail(place, "is not an object") }
        for property in properties {
            if let member = object[property.name] {
                compare(member, property.schema, at: "\(place).\(property.name)")
            } else if property.isRequired {
                fail(place, "lacks \(property.name)")
            }
        }
        for key in object.keys where !properties.contains(where: { $0.name == key }) {
            fail(place, "has an undescribed member \(key)")
        }
    }

    private static func fits(_ value: Any, _ schema: Schema) -> Bool {
        switch schema {
        case .null: return value is NSNull
        case .flag: return isFlag(value)
        case .choice(let texts): return (value as? String).map(texts.contains) ?? false
        case .whole(let range):
            return !isFlag(value) && (value as? Int).map { range?.contains($0) ?? true } ?? false
        case .number(let range): return (value as? Double).map(range.contains) ?? false
        case .string(let rule):
            guard let text = value as? String, rule.length?.contains(text.count) ?? true else { return false }
            if let pattern = rule.pattern, text.range(of: pattern, options: .regularExpression) == nil { return false }
            return rule.format != "date-time" || (try? Date(text, strategy: .iso8601.fractional)) != nil
        default: return false
        }
    }

    /// Whether a value is a Boolean. Numbers and Booleans are both `NSNumber`s and differ only in their Objective-C type.
    private static func isFlag(_ value: Any) -> Bool {
        (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
    }

    private mutating func fail(_ place: String, _ problem: String) { faults.append("\(place) \(problem)") }
}

extension ParseStrategy where Self == Date.ISO8601FormatStyle {
    fileprivate static var iso8601: Date.ISO8601FormatStyle { Date.ISO8601FormatStyle() }
}

extension Date.ISO8601FormatStyle {
    fileprivate var fractional: Date.ISO8601FormatStyle { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }
}

/// Generates JSON that matches a schema.
enum SchemaExample {
    /// Generates an example with every described member if `isFull`, otherwise with only the required ones.
    static func make(_ schema: Schema, isFull: Bool) -> Any {
        switch schema {
        case .named(let name): make(name.schema, isFull: isFull)
        case .object(let properties):
            Dictionary(
                uniqueKeysWithValues: properties.filter { isFull || $0.isRequired }.map {
                    ($0.name, make($0.schema, isFull: isFull))
                })
        case .list(let element, _): isFull ? [make(element, isFull: true)] : [Any]()
        case .map(let value): ["key": make(value, isFull: isFull)]
        case .anyOf(let schemas), .oneOf(let schemas): schemas.first.map { make($0, isFull: isFull) } ?? NSNull()
        case .choice(let texts): texts[0]
        case .whole(let range): max(range?.lowerBound ?? 7, 3)
        case .number(let range): range.lowerBound + (range.upperBound - range.lowerBound) / 4
        case .flag: true
        case .null: NSNull()
        case .bytes: ""
        case .string(let rule): text(rule)
        }
    }

    private static func text(_ rule: Schema.TextRule) -> String {
        switch (rule.format, rule.pattern) {
        case ("date-time", _): "2025-11-15T20:00:00.000Z"
        case ("uri", _): "https://example.org/cover.jpg"
        case (_, let pattern?) where pattern.hasPrefix("^[A-Za-z0-9_-]"): "job-12345"
        case (_, .some): "1965-08-01"
        default: "text"
        }
    }
}
