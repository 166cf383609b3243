package import BookstrackContract
import JSONRPC
package import NIOCore

/// The answer of ``SearchBooks``: what it is about as a value, its data as the JSON that clients get (Services/README.md "JSON-RPC").
package struct SearchAnswer: Sendable, Equatable {
    /// About the data.
    package struct Head: Codable, Sendable, Equatable {
        /// The provider that gave the first match, or "none".
        package var provider: String
        /// Seconds since the oldest part came from its provider; nil when every part has just come.
        package var ageSeconds: Int?
        /// Seconds for which the data serves as it is; 0 when it must not be kept.
        package var freshSeconds: Int
        /// Whether a part has expired, and serves while it is asked for again or because its provider fails.
        package var isStale: Bool
        /// What each provider did, when one failed.
        package var providers: [ProviderReport]?

        package init(
            provider: String, ageSeconds: Int?, freshSeconds: Int, isStale: Bool, providers: [ProviderReport]?
        ) {
            self.provider = provider
            self.ageSeconds = ageSeconds
            self.freshSeconds = freshSeconds
            self.isStale = isStale
            self.providers = providers
        }
    }

    package var head: Head
    /// The JSON text of the data.
    package var data: ByteBuffer

    package init(head: Head, data: ByteBuffer) {
        self.head = head
        self.data = data
    }

    /// Reads a result; nil when it does not have the documented shape.
    package init?(raw: ByteBuffer) {
        guard let elements = ArrayReader(raw)?.elements, elements.count == 2,
            let head = try? BodyCoding.decode(Head.self, from: elements[0])
        else { return nil }
        self.init(head: head, data: elements[1])
    }

    /// The result's text. Throws `EncodingError`.
    package func raw() throws -> ByteBuffer {
        var buffer = ByteBuffer(string: "[")
        buffer.writeImmutableBuffer(try BodyCoding.encode(head))
        buffer.writeString(",")
        buffer.writeImmutableBuffer(data)
        buffer.writeString("]")
        return buffer
    }
}
