package import Foundation

/// What a provider answered: 2xx, 404, or what ``ProviderVerdict/answer`` says is one.
package struct ProviderAnswer: Hashable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The decoded body.
    package let body: Data
    /// How long the call took, waiting and retries included.
    package let duration: Duration
}
