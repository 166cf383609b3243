/// Percent-encoding of URLs (RFC 3986 §2.1), read leniently: an invalid escape stands for itself.
enum PercentEncoding {
    /// Layers that are taken off: a URL within a URL within a URL.
    private static let layers = 4

    /// Whether a text holds a secret, in whatever encoding either is. What is wrapped deeper than anybody wraps an address counts as
    /// if it did.
    static func mayHide(_ secret: String, in text: String) -> Bool {
        let plain = decode(Array(secret.utf8))
        var bytes = Array(text.utf8)
        for _ in 0..<layers {
            if bytes.firstRange(of: plain) != nil { return true }
            let decoded = decode(bytes)
            if decoded.count == bytes.count { return false }
            bytes = decoded
        }
        return true
    }

    /// One layer less.
    private static func decode(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = digit(rest[rest.startIndex]),
                let low = digit(rest[rest.startIndex + 1])
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
