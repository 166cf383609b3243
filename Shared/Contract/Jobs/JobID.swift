import Foundation

/// A job's identifier: 8 to 64 characters of `A-Z a-z 0-9 _ -` (spec/02).
public struct JobID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identifier as text.
    public let text: String

    /// Accepts `text` when it has the documented length and characters.
    public init?(_ text: String) {
        guard (8...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    /// A new identifier that nobody else has.
    public static func random() -> JobID { JobID(unchecked: UUID().uuidString.lowercased()) }

    private init(unchecked text: String) { self.text = text }

    /// Decodes a string; an identifier outside the documented alphabet is `dataCorrupted`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = JobID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "jobId must be 8 to 64 characters of A-Z a-z 0-9 _ -")
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

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
