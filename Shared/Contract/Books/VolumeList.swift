/// The answer of the deprecated searches, in the shape of Google Books (http-api.md "Routes" and "Deprecated searches"); not enveloped.
public struct VolumeList: Codable, Sendable, Equatable {
    /// What was found, best first.
    public var items: [Volume]
    /// How many results the provider that knows most says there are.
    public var totalItems: Int

    /// Makes an answer.
    public init(items: [Volume], totalItems: Int) {
        self.items = items
        self.totalItems = totalItems
    }
}
