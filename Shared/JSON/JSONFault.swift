/// Why a text is not the expected JSON, and where.
package struct JSONFault: Error, Equatable, Sendable {
    /// A token that is required at some position.
    package enum Token: Equatable, Sendable {
        case value, string, openingBrace, openingBracket, colon, commaOrBrace, commaOrBracket
    }

    /// What is wrong with the text. Unless stated otherwise, it breaks a rule of RFC 8259.
    package enum Reason: Equatable, Sendable {
        /// The text ends where this token is required.
        case end(missing: Token)
        /// There is a different character where this token is required.
        case expected(Token)
        case endInString
        case controlCharacter
        case unknownEscape
        /// `\u` has fewer than four hexadecimal digits.
        case hexadecimalDigits
        /// A lone surrogate, which no UTF-8 text can contain (RFC 7493 §2.1).
        case loneSurrogate
        case invalidUTF8
        case digitMissing
        case unknownWord
        case afterValue
        /// The brackets are nested more deeply than ``NestingStack`` allows.
        case nestedTooDeep
        /// The text is too long for the 32-bit offsets of ``JSONDocument``.
        case tooLong
        /// The text is JSON, but not an object.
        case notAnObject
    }

    package let reason: Reason
    /// Number of bytes before the fault.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// Line and column of the fault in its text, both from 1; columns are counted in bytes.
    ///
    /// The position is computed rather than stored: an error that consists of only two machine words adds no cost to the functions that throw it.
    package func place(in text: some Collection<UInt8>) -> (line: Int, column: Int) {
        var place = (line: 1, column: 1)
        for byte in text.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                place = (place.line + 1, 1)
            } else {
                place.column += 1
            }
        }
        return place
    }

    /// The reason as a noun phrase or a short clause.
    ///
    /// - Parameter text: The name for the text, for example "body".
    package func reason(in text: String) -> String {
        switch reason {
        case .end(missing: let token): "unexpected end of the \(text), expected \(Self.name(of: token))"
        case .expected(.value): "unexpected character, expected a value"
        case .expected(.string): "expected '\"'"
        case .expected(let token): "expected \(Self.name(of: token))"
        case .endInString: "unexpected end of the \(text) in a string"
        case .controlCharacter: "unescaped control character in a string"
        case .unknownEscape: "unknown escape in a string"
        case .hexadecimalDigits: "expected four hexadecimal digits"
        case .loneSurrogate: "lone surrogate in a string"
        case .invalidUTF8: "invalid UTF-8"
        case .digitMissing: "expected a digit"
        case .unknownWord: "unknown word"
        case .afterValue: "unexpected character after the value"
        case .nestedTooDeep: "more than \(NestingStack.limit) levels of nesting"
        case .tooLong: "longer than 2 GiB"
        case .notAnObject: "not an object"
        }
    }

    private static func name(of token: Token) -> String {
        switch token {
        case .value: "a value"
        case .string: "a string"
        case .openingBrace: "'{'"
        case .openingBracket: "'['"
        case .colon: "':'"
        case .commaOrBrace: "',' or '}'"
        case .commaOrBracket: "',' or ']'"
        }
    }
}

extension JSONFault: CustomStringConvertible {
    package var description: String { "\(reason(in: "text")) at byte \(offset)" }
}
