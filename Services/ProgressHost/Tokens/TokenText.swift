import Crypto
import Foundation

/// A token as clients hold it: 192 random bits, of which only the hash is stored (websocket.md "Tokens").
struct TokenText: Sendable {
    let text: String

    /// A new one from the system's random source, in base64url, whose characters are all unreserved (RFC 4648 §5).
    static func random() -> TokenText {
        var source = SystemRandomNumberGenerator()
        let bytes = (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &source) }
        return TokenText(
            text: Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_"))
    }

    /// What is stored.
    var hash: Data { Data(SHA256.hash(data: Data(text.utf8))) }
}

/// Compares hashes in time that does not depend on where they differ.
func equalInConstantTime(_ left: Data, _ right: Data) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
