import BookMetadata

/// A provider's answer to a question, normalised; empty when the provider knows nothing that fits.
struct ProviderRecords: Hashable, Codable, Sendable {
    var editions: [EditionRecord] = []
    var works: [WorkRecord] = []

    /// The provider really answered "none".
    static let none = ProviderRecords()

    var isEmpty: Bool { editions.isEmpty && works.isEmpty }
}
