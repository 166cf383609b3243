/// Why a text is not the JSON that was expected, and where.
package struct JSONFault: Error, Equatable, Sendable {
    /// A token that a text needs at some position.
    package enum Token: Equatable, Sendable {
        case value, string, openingBrace, openingBracket, colon, commaOrBrace, commaOrBracket
    }

    /// The rule that was broken (RFC 8259).
    package enum Reason: Equatable, Sendable {
        /// The text ends where this belongs.
        case end(missing: Token)
        /// Another character stands where this belongs.
        case expected(Token)
        case endInString
        case controlCharacter
        case unknownEscape
        /// `\u` has fewer than four hexadecimal digits.
        case hexadecimalDigits
        /// Half a surrogate pair, which no UTF-8 text can hold (RFC 7493 §2.1).
        case loneSurrogate
        case invalidUTF8
        case digitMissing
        case unknownWord
        case afterValue
        case nestedTooDeep
        /// The text has 2 GiB or more.
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
    /// Not stored: an error of only two words adds no cost to the functions that throw it.
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

    /// The reason as a noun phrase or short clause.
    ///
    /// - Parameter text: What the text is called, for example "body".
    package func reason(in text: String) -> String {
        switch reason {
        case .end(missing: let token): "unexpected end of the \(text), \(Self.name(of: token)) is missing"
        case .expected(.value): "unexpected character, a value is missing"
        case .expected(.string): "'\"' expected"
        case .expected(let token): "\(Self.name(of: token)) expected"
        case .endInString: "unexpected end of the \(text) in a string"
        case .controlCharacter: "unescaped control character in a string"
        case .unknownEscape: "unknown escape in a string"
        case .hexadecimalDigits: "four hexadecimal digits expected"
        case .loneSurrogate: "lone surrogate in a string"
        case .invalidUTF8: "invalid UTF-8"
        case .digitMissing: "a digit is missing"
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
