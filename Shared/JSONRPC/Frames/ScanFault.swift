/// Why a text is not the JSON that a frame may hold, and where.
package struct ScanFault: Error, Equatable, Sendable {
    /// The rule that was broken.
    package enum Reason: String, Sendable {
        case unexpectedEnd = "unexpected end"
        case unexpectedByte = "unexpected byte"
        case controlCharacter = "control character in a string"
        case invalidEscape = "invalid escape"
        case loneSurrogate = "surrogate without its pair"
        case invalidUTF8 = "invalid UTF-8"
        case nestedTooDeep = "nested too deep"
        case notAnObject = "not an object"
    }

    package let reason: Reason
    /// Bytes from the begin of the text.
    package let offset: Int
}

extension ScanFault: CustomStringConvertible {
    package var description: String { "\(reason.rawValue) at byte \(offset)" }
}
