/// One member of an object.
struct Property: Sendable, Equatable {
    var name: String
    var schema: Schema
    var meaning: String?
    var isRequired: Bool

    /// A member that is always there.
    static func required(_ name: String, _ schema: Schema, _ meaning: String? = nil) -> Property {
        Property(name: name, schema: schema, meaning: meaning, isRequired: true)
    }

    /// A member that may be absent; it is never null (http-api.md "Envelope").
    static func optional(_ name: String, _ schema: Schema, _ meaning: String? = nil) -> Property {
        Property(name: name, schema: schema, meaning: meaning, isRequired: false)
    }
}
