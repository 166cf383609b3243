package import NIOCore

/// Bodies of typed methods to and from JSON.
///
/// The JSON says the same as `JSONEncoder`'s does by default, in the order in which the members are encoded, so that equal values of
/// structures are equal bytes. What `JSONDecoder` treats in its own way, such as `Data` and `Date`, is not in any body.
package enum BodyCoding {
    private static let empty = ByteBuffer(staticString: "{}")

    /// - Throws: `EncodingError` for a number that JSON cannot express, and whatever the body throws.
    package static func encode(_ body: some Encodable) throws -> ByteBuffer {
        if body is Nothing { return empty }
        let output = JSONOutput()
        try output.write(body)
        return output.text.buffer
    }

    /// - Throws: `DecodingError`
    package static func decode<Body: Decodable>(_ type: Body.Type, from json: ByteBuffer) throws -> Body {
        if Body.self == Nothing.self, let nothing = Nothing() as? Body { return nothing }
        return try json.withUnsafeReadableBytes { try Body(from: BodyDecoder($0)) }
    }
}
