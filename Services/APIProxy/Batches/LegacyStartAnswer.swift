import BookstrackContract

/// Answer of the deprecated `/api/enrichment/start`: the envelope, the members of `data` again at the top level, and `metadata`
/// again as `meta` (http-api.md "Envelope").
struct LegacyStartAnswer: Encodable {
    var data: StartedJob
    var metadata: ResponseMetadata

    private enum CodingKeys: String, CodingKey { case data, metadata, meta }

    func encode(to encoder: any Encoder) throws {
        try data.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(data, forKey: .data)
        try container.encode(metadata, forKey: .metadata)
        try container.encode(metadata, forKey: .meta)
    }
}
