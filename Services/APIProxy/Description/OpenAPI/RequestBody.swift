/// The JSON body that an operation takes.
struct RequestBody: Sendable {
    var schema: SchemaName
    var isRequired = true
    var example: (any Encodable & Sendable)?
}

extension RequestBody: Encodable {
    private enum Key: String, CodingKey { case content, required }
    private enum ContentKey: String, CodingKey { case schema, example }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(isRequired, forKey: .required)
        var types = container.nestedContainer(keyedBy: MemberName.self, forKey: .content)
        var content = types.nestedContainer(keyedBy: ContentKey.self, forKey: MemberName("application/json"))
        try content.encode(Schema.named(schema), forKey: .schema)
        if let example { try content.encode(example, forKey: .example) }
    }
}
