import Foundation

@testable import APIProxy

/// Makes JSON that fits a schema.
enum SchemaExample {
    /// With every described member, or with the required ones only.
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
