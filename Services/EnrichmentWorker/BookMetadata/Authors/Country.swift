import BookstrackContract

/// A state of which authors are citizens.
struct Country: Hashable, Sendable {
    /// Short English name. An earlier form of a present-day state has that state's name: the German Empire is "Germany".
    let name: String
    /// The region of the state's people; for a dissolved state, the region of its capital.
    let region: CulturalRegion
    /// Whether the state exists, possibly as a present-day state that continues it.
    let continuity: Continuity

    /// What became of a state.
    enum Continuity: Hashable, Sendable {
        /// The state exists today, or is continued by one present-day state.
        case today
        /// No single present-day state continues it. Its territory is in these regions.
        case dissolved(across: Set<CulturalRegion>)
    }

    /// Whether this state is dissolved and `other` is a present-day state that replaces it as the same person's citizenship: the Soviet Union is
    /// replaced by Ukraine or Kazakhstan, but not by the United States.
    func isSucceeded(by other: Country) -> Bool {
        guard case .dissolved(let regions) = continuity, other.continuity == .today else { return false }
        return regions.contains(other.region)
    }
}

/// States by Wikidata item (metadata.md "Authors": every sovereign state, and the historical states that occur in author data).
///
/// They are the rows of `Countries.tsv`. Regions follow the geoscheme of the United Nations (M49,
/// https://unstats.un.org/unsd/methodology/m49/); where the contract's regions differ, a heading in the file explains this. `Indigenous` has no
/// states.
enum CountryTable {
    /// A row of the file.
    struct Entry {
        /// The Wikidata identifier.
        let item: String
        let status: Status
        let country: Country
    }

    /// How an item is related to the states that exist today.
    enum Status: String {
        /// A sovereign state, a partly recognized state, or a territory in ISO 3166-1.
        case state
        /// An earlier form of such a state, or a part of one that is called a country; listed under the state's name.
        case form
        /// A state that is not continued by a single present-day state. Its territory may extend into other regions.
        case dissolved
    }

    /// The rows of the file, in its order.
    static let entries = EmbeddedTable.rows(of: PackageResources.Countries_tsv).map { row in
        guard let entry = Entry(row) else { preconditionFailure("not a state: \(row)") }
        return entry
    }

    /// The state for an item such as `Q145`; nil for an item that is not in the table.
    static func country(_ item: String) -> Country? { countries[item] }

    private static let countries = Dictionary(entries.map { ($0.item, $0.country) }) { first, _ in first }
}

extension CountryTable.Entry {
    /// Reads a row; nil if it has too few fields or an invalid value. Tests ensure that the embedded file contains no such row.
    fileprivate init?(_ row: [String]) {
        guard row.count >= 4, let region = CulturalRegion(rawValue: row[2]),
            let status = CountryTable.Status(rawValue: row[3])
        else { return nil }
        let further = row.dropFirst(4).flatMap { $0[...].parts(separatedBy: "; ") }
            .map { CulturalRegion(rawValue: String($0)) }
        guard !further.contains(nil), status == .dissolved || further.isEmpty else { return nil }
        item = row[0]
        self.status = status
        country = Country(
            name: row[1], region: region,
            continuity: status == .dissolved ? .dissolved(across: Set(further.compactMap(\.self) + [region])) : .today)
    }
}
