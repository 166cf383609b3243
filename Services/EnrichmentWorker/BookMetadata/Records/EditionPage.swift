/// A page of a provider's list of editions.
package struct EditionPage: Hashable, Codable, Sendable {
    /// How many the provider says there are in all.
    package var total: Int
    /// The page's editions in the provider's order.
    package var editions: [EditionRecord]

    /// The provider knows nothing that fits.
    package static let none = EditionPage(total: 0, editions: [])

    /// Makes a page; the total is never less than what is on it.
    package init(total: Int, editions: [EditionRecord]) {
        self.total = max(total, editions.count)
        self.editions = editions
    }

    /// Results that the provider has beyond these.
    var totalBeyond: Int { max(0, total - editions.count) }
}
