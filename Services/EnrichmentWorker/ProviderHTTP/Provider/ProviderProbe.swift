/// Whether a provider can be reached at all.
package struct ProviderProbe: Hashable, Sendable {
    /// The provider's name.
    package let provider: String
    /// The base address that was asked, and nothing below it.
    package let address: String
    package let duration: Duration
    /// The status of any answer, or why there is none.
    package let outcome: Result<Int, TransferError>
}
