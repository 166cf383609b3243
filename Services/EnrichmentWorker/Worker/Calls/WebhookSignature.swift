import Crypto
import Foundation
import ServiceKit
import Transfer

/// Signs webhooks as Standard Webhooks says (https://www.standardwebhooks.com), so that receivers can check them with a library.
struct WebhookSignature: Sendable {
    /// Marks a key in base64.
    private static let encodedPrefix = "whsec_"

    private let key: SymmetricKey

    /// - Parameter secret: `whsec_` and a key in base64, or any other text, whose bytes are the key.
    /// - Throws: `SettingsError` for an empty key, or one that is not base64 although it says so.
    init(_ secret: Secret) throws(SettingsError) {
        let text = secret.exposed
        let bytes =
            text.hasPrefix(Self.encodedPrefix)
            ? Data(base64Encoded: String(text.dropFirst(Self.encodedPrefix.count))) : Data(text.utf8)
        guard let bytes, !bytes.isEmpty else {
            throw .contradiction("\(SettingKey.webhookSecret.name) must be base64 after \(Self.encodedPrefix)")
        }
        key = SymmetricKey(data: bytes)
    }

    /// The fields that sign a body.
    ///
    /// - Parameter timestamp: Seconds since 1970.
    func fields(id: String, timestamp: Int, body: String) -> [HeaderField] {
        let signed = Data("\(id).\(timestamp).\(body)".utf8)
        let signature = Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
        return [
            HeaderField(name: "Webhook-Id", value: id), HeaderField(name: "Webhook-Timestamp", value: "\(timestamp)"),
            HeaderField(name: "Webhook-Signature", value: "v1,\(signature)"),
        ].compactMap(\.self)
    }
}
