import BookstrackContract

/// One message of the progress socket, for `/asyncapi.json`. A test compares them with the types that are encoded and decoded.
struct DescribedMessage: Sendable {
    /// The name in the document.
    var name: String
    var summary: String
    var payload: Schema

    /// A frame of the server: the envelope of websocket.md "Frames" around a payload.
    static func server(_ type: FrameType, _ payload: SchemaName, _ summary: String) -> DescribedMessage {
        DescribedMessage(
            name: type.rawValue, summary: summary,
            payload: .object([
                .required("type", .choice([type.rawValue])), .required("jobId", .jobId),
                .required("pipeline", .choice(of: Pipeline.self)),
                .required("timestamp", .integer(0...Int(Int64.max)), "Milliseconds since 1970."),
                .required("version", .choice(["1.0.0"])),
                .required("seq", .count, "Number of the job's event, or of the last one sent on the connection."),
                .required("payload", .named(payload)),
            ]))
    }

    /// A message of the client; `members` are those of its payload.
    static func client(_ type: String, _ summary: String, payload members: [Property] = []) -> DescribedMessage {
        DescribedMessage(
            name: "client_\(type)", summary: summary,
            payload: .object([
                .required("type", .choice([type])), .optional("payload", .object(members)),
            ]))
    }
}

extension DescribedMessage: Encodable {
    private enum Key: String, CodingKey { case name, summary, contentType, payload }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(summary, forKey: .summary)
        try container.encode("application/json", forKey: .contentType)
        try container.encode(payload, forKey: .payload)
    }
}
