/// One request header that cannot break out of its line (RFC 9110 §5.1, §5.5).
package struct HeaderField: Hashable, Sendable {
    /// The name, a token.
    package let name: String
    /// The value, visible ASCII, spaces and tabs.
    package let value: String

    /// - Returns: nil when the name is not a token or the value holds a control or non-ASCII character.
    package init?(name: String, value: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte),
            value.utf8.allSatisfy({ $0 == 0x09 || (0x20...0x7e).contains($0) })
        else { return nil }
        self.name = name
        self.value = value
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
