import Foundation

/// Takes secrets out of what is logged or shown (spec/06 "Secrets and query tokens never appear").
///
/// It is the last net, not the first: nobody logs a token or a key on purpose.
package enum Redaction {
    /// What stands in a secret's place.
    package static let mark = "REDACTED"

    /// Header fields whose values nobody is shown, in lower case.
    private static let secretFields: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-goog-api-key",
        "sec-websocket-protocol",
    ]

    /// The value of a header field as it may be shown.
    package static func value(ofField name: String, _ value: String) -> String {
        let name = name.lowercased()
        return secretFields.contains(name) || name.hasSuffix("token") || name.hasSuffix("secret") ? mark : text(value)
    }

    /// A text with the values of secret parameters (`token=…`, `"token":"…"`) and bearer tokens taken out.
    package static func text(_ text: String) -> String {
        // A name that is written with escapes is the same name to who reads it.
        let shown = redacted(text)
        guard shown.utf8.contains(UInt8(ascii: "%")), let plain = shown.removingPercentEncoding else { return shown }
        let decoded = redacted(plain)
        return decoded == plain ? shown : decoded
    }

    private static func redacted(_ text: String) -> String {
        var scanned = text
        let secrets = scanned.withUTF8 { SecretScanner($0).secrets() }
        guard !secrets.isEmpty else { return text }
        var shown = ""
        var end = text.utf8.startIndex
        for secret in secrets {
            let start = text.utf8.index(text.utf8.startIndex, offsetBy: secret.lowerBound)
            shown += text[end..<start] + mark
            end = text.utf8.index(start, offsetBy: secret.count)
        }
        return shown + text[end...]
    }
}
