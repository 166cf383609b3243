/// A citizenship that Wikidata states (P27).
package struct Citizenship: Hashable, Codable, Sendable {
    /// Item of the state, for example `Q145`.
    package var country: String
    /// Whether the statement says that it ended (P582).
    package var hasEnded: Bool

    package init(country: String, hasEnded: Bool = false) {
        self.country = country
        self.hasEnded = hasEnded
    }
}
