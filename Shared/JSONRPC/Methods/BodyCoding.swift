import Foundation
package import NIOCore

/// Bodies of typed methods to and from JSON, with Foundation's coders as they are by default.
package enum BodyCoding {
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }()
    private static let decoder = JSONDecoder()
    private static let empty = ByteBuffer(staticString: "{}")

    /// - Throws: `EncodingError`
    package static func encode<Body: Encodable>(_ body: Body) throws -> ByteBuffer {
        if Body.self == Nothing.self { return empty }
        let json = try encoder.encode(body)
        var buffer = ByteBufferAllocator().buffer(capacity: json.count)
        buffer.writeBytes(json)
        return buffer
    }

    /// - Throws: `DecodingError`
    package static func decode<Body: Decodable>(_ type: Body.Type, from json: ByteBuffer) throws -> Body {
        if Body.self == Nothing.self, let nothing = Nothing() as? Body { return nothing }
        return try decoder.decode(type, from: json.withUnsafeReadableBytes { Data($0) })
    }
}
