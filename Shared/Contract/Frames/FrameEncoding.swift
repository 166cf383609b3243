import Foundation

/// Turns frames into bytes and keeps them below 1 KiB (spec/03 "Frame").
public enum FrameEncoding {
    /// A frame stays below this many bytes unless spec/03 says otherwise.
    public static let softLimit = 1_024

    /// Texts are tried at these lengths, in bytes of UTF-8, until the frame fits.
    private static let textLengths = [200, 120, 72, 40, 20, 8]

    /// Encodes what `build` makes; `build` is given a way to cut texts and is called again with shorter texts while the
    /// frame is not below `softLimit`.
    public static func encode(_ build: (TextLimit) -> some Encodable) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for length in textLengths {
            bytes = try encode(build(TextLimit(bytes: length)))
            if bytes.count < softLimit { break }
        }
        return bytes
    }

    /// Encodes `value` with sorted keys and plain slashes, so that equal frames are equal bytes.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}

/// Cuts texts at a character boundary.
public struct TextLimit: Sendable {
    /// Longest text, in bytes of UTF-8; at least 3, the length of the ellipsis.
    let bytes: Int

    /// A limit of `bytes`.
    public init(bytes: Int) { self.bytes = max(bytes, 3) }

    /// `text`, or as many of its first characters as fit, with an ellipsis.
    public func cut(_ text: String) -> String {
        guard text.utf8.count > bytes else { return text }
        var kept = ""
        var size = 0
        for character in text {
            size += character.utf8.count
            if size + 3 > bytes { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// `text` cut, when there is one.
    public func cut(_ text: String?) -> String? { text.map { cut($0) } }
}
