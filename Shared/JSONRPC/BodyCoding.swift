import JSON
package import NIOCore

/// Converts the bodies of typed methods to and from JSON, using ``JSONCoding``.
package enum BodyCoding {
    private static let empty = ByteBuffer(staticString: "{}")

    /// - Throws: `EncodingError` for a number that JSON cannot express, and any error thrown by the body.
    package static func encode(_ body: some Encodable) throws -> ByteBuffer {
        if body is Nothing { return empty }
        return try JSONCoding.encode(body)
    }

    /// - Throws: `DecodingError`
    package static func decode<Body: Decodable>(_ type: Body.Type, from json: ByteBuffer) throws -> Body {
        if Body.self == Nothing.self, let nothing = Nothing() as? Body { return nothing }
        return try JSONCoding.decode(type, from: json)
    }
}
