/// A page of a provider's list of works.
package struct WorkPage: Hashable, Codable, Sendable {
    /// How many the provider says there are in all.
    package var total: Int
    /// The page's works in the provider's order.
    package var works: [WorkRecord]

    /// The provider knows nothing that fits.
    package static let none = WorkPage(total: 0, works: [])

    /// Makes a page; the total is never less than what is on it.
    package init(total: Int, works: [WorkRecord]) {
        self.total = max(total, works.count)
        self.works = works
    }

    /// Results that the provider has beyond these.
    var totalBeyond: Int { max(0, total - works.count) }
}
