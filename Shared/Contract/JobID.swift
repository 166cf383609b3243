import Foundation

/// A job's identifier: 4 to 64 characters of `A-Z a-z 0-9 _ -`.
///
/// Over HTTP, a new job's identifier must have at least ``shortestNew`` characters (http-api.md "Validation"), except on the deprecated start route,
/// whose own documentation uses a job named `test` (http-api.md "Routes").
public struct JobID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Minimum length of an identifier.
    public static let shortest = 4
    /// Minimum length of the identifier of a new job over HTTP.
    public static let shortestNew = 8
    /// Maximum length of an identifier.
    public static let longest = 64

    /// The identifier as text.
    public let text: String

    /// Accepts `text`; nil if it does not have the documented length and characters.
    public init?(_ text: String) {
        guard (Self.shortest...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.text = text
    }

    /// Generates a random identifier.
    public static func random() -> JobID { JobID(unchecked: UUID().uuidString.lowercased()) }

    private init(unchecked text: String) { self.text = text }

    /// Decodes a string. Throws `dataCorrupted` if it does not have the documented length and characters.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = JobID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "jobId \(Self.rule())")
        }
        self = id
    }

    /// Encodes as a plain string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The identifier as text.
    public var description: String { text }

    /// The rule for identifiers, as the end of a sentence that starts with the member's name.
    public static func rule(shortest: Int = shortest) -> String {
        "must be \(shortest) to \(longest) characters from A-Z a-z 0-9 _ -"
    }

    /// Whether this is a version 4 UUID (RFC 9562 §5.4), in upper or lower case, with 122 random bits that cannot be guessed.
    public var isRandomUUID: Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            switch index {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            case 14: byte == UInt8(ascii: "4")
            case 19: "89abAB".utf8.contains(byte)
            default: Character(UnicodeScalar(byte)).isHexDigit
            }
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
