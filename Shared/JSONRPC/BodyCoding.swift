package import JSON
package import NIOCore

/// A body that reads and writes its own JSON, because it is sent so often that an `Encoder` and a `Decoder` would be too slow. The JSON must be the
/// same as with ``JSONCoding``.
package protocol HandCodedBody: Codable {
    /// Nil if a required member is missing or has the wrong type.
    init?(_ json: ObjectReader)
    /// Writes the object.
    func write(to json: inout JSONWriter)
}

/// Converts the bodies of typed methods to and from JSON, using ``JSONCoding`` unless a body is a ``HandCodedBody``.
package enum BodyCoding {
    private static let empty = ByteBuffer(staticString: "{}")

    /// - Throws: `EncodingError` for a number that JSON cannot express, and any error thrown by the body.
    package static func encode(_ body: some Encodable) throws -> ByteBuffer {
        if body is Nothing { return empty }
        guard let body = body as? any HandCodedBody else { return try JSONCoding.encode(body) }
        var json = JSONWriter()
        body.write(to: &json)
        return json.buffer
    }

    /// - Throws: `DecodingError` if the JSON is invalid or does not fit the type, and any error thrown by the type's initializer. For ``Nothing``, no
    ///   error is thrown, whatever the JSON is.
    package static func decode<Body: Decodable>(_ type: Body.Type, from json: ByteBuffer) throws -> Body {
        if Body.self == Nothing.self, let nothing = Nothing() as? Body { return nothing }
        guard let handCoded = Body.self as? any HandCodedBody.Type else {
            return try JSONCoding.decode(type, from: json)
        }
        // The cast to `Body` succeeds, because this is its own initializer.
        guard let body = ObjectReader(json).flatMap({ handCoded.init($0) }) as? Body else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "not the JSON of \(Body.self)"))
        }
        return body
    }
}
