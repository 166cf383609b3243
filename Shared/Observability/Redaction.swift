/// Removes secrets from text that is logged or shown (SECURITY.md "Secrets").
///
/// This is the last line of defense: no code logs a token or a key on purpose.
package enum Redaction {
    /// The text that replaces a secret.
    package static let mark = "REDACTED"

    /// Header fields whose values are never shown, in lower case.
    private static let secretFields: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-goog-api-key",
        "sec-websocket-protocol",
    ]
    /// Endings of the names of further such fields, in lower case.
    private static let secretEndings = ["token", "secret", "csrf"]

    /// The value of a header field, without secrets.
    package static func value(ofField name: String, _ value: String) -> String {
        let name = name.lowercased()
        let isSecret = secretFields.contains(name) || secretEndings.contains { name.hasSuffix($0) }
        return isSecret ? mark : text(value)
    }

    /// Returns a string in which ``mark`` replaces the values of secret parameters (`token=…`, `"token":"…"`, the token in `job=ID:TOKEN`), bearer
    /// and basic credentials, and the user information of URLs.
    ///
    /// A parser treats an escaped name like an unescaped one. The text is therefore searched both as written and with its escapes decoded, including
    /// those of a URL inside a URL; escapes that cannot be decoded stay unchanged.
    package static func text(_ text: String) -> String {
        var layer = Layer(text)
        var secrets = layer.secrets
        for _ in 0..<deepestEscapes {
            guard let decoded = layer.decoded else { break }
            secrets += decoded.secrets
            layer = decoded
        }
        return secrets.isEmpty ? text : replace(secrets, in: Array(text.utf8))
    }

    /// Maximum depth of nested escapes that are decoded.
    private static let deepestEscapes = 4

    private static func replace(_ secrets: [Range<Int>], in bytes: [UInt8]) -> String {
        var shown: [UInt8] = []
        var end = 0
        for secret in secrets.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if secret.lowerBound >= end {
                shown += bytes[end..<secret.lowerBound]
                shown += mark.utf8
            }
            end = max(end, secret.upperBound)
        }
        return String(decoding: shown + bytes[end...], as: UTF8.self)
    }

    /// The text after a number of decoding rounds.
    private struct Layer {
        private let bytes: [UInt8]
        /// The position in the original text at which each byte starts; nil if nothing was decoded.
        private let places: [Int]?
        private let length: Int

        init(_ text: String) {
            bytes = Array(text.utf8)
            places = nil
            length = bytes.count
        }

        private init(_ bytes: [UInt8], _ places: [Int], length: Int) {
            self.bytes = bytes
            self.places = places
            self.length = length
        }

        /// Positions of secrets in the original text.
        var secrets: [Range<Int>] {
            let found = bytes.withUnsafeBufferPointer { SecretScanner($0).secrets() }
            return found.map { place($0.lowerBound)..<place($0.upperBound) }
        }

        private func place(_ index: Int) -> Int { index < bytes.count ? places?[index] ?? index : length }

        /// The text with escapes decoded (RFC 3986 §2.1); nil if it has none.
        var decoded: Layer? {
            guard bytes.contains(UInt8(ascii: "%")) else { return nil }
            var decoded: [UInt8] = []
            var starts: [Int] = []
            var index = 0
            while index < bytes.count {
                let byte = escape(at: index)
                decoded.append(byte ?? bytes[index])
                starts.append(place(index))
                index += byte == nil ? 1 : 3
            }
            return decoded.count == bytes.count ? nil : Layer(decoded, starts, length: length)
        }

        private func escape(at index: Int) -> UInt8? {
            guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Self.digit(bytes[index + 1]), let low = Self.digit(bytes[index + 2])
            else { return nil }
            return high << 4 | low
        }

        private static func digit(_ byte: UInt8) -> UInt8? {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
            default: nil
            }
        }
    }
}
