import Crypto

/// Name of a cover's file in the data directory's `covers`: 64 hex digits and nothing else, so that it is a plain name wherever it
/// comes from.
package struct CoverName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Returns: nil for what is no such name.
    package init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy(Self.digits.contains) else { return nil }
        description = text
    }

    /// The name of an address, which says the size too: the SHA-256 of its text. Every process that knows the address can work it out.
    init(hashing address: String) {
        let hex = SHA256.hash(data: Array(address.utf8)).flatMap {
            [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]]
        }
        description = String(decoding: hex, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

extension CoverName: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let name = CoverName(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no name of a cover")
        }
        self = name
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
