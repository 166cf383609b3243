/// Percent-encoding of query parameters and path segments (RFC 3986 §2, §3.3, §3.4).
enum PercentEncoding {
    /// The query `?name=value&…`, with encoded values.
    static func query(_ parameters: [(String, String)]) -> String {
        "?" + parameters.map { "\($0.0)=\(encode($0.1))" }.joined(separator: "&")
    }

    /// The text with all characters encoded except unreserved ones and `,` and `:`, which queries and paths may contain.
    static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isAllowed(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), hexadecimal(byte >> 4), hexadecimal(byte & 0xF)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~,:".utf8.contains(byte)
        }
    }

    private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}
