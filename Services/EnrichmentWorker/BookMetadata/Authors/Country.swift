import BookstrackContract

/// A state that authors are citizens of.
struct Country: Hashable, Sendable {
    /// Short English name. An earlier form of a state of today has the name of today: the German Empire is "Germany".
    let name: String
    /// Where its people are counted; of a dissolved state the region of its capital.
    let region: CulturalRegion
    /// Whether it exists or lives on in one state of today.
    let continuity: Continuity

    /// What became of a state.
    enum Continuity: Hashable, Sendable {
        /// It exists, or one state of today continues it.
        case today
        /// Several states of today share its lands, which lie in these regions.
        case dissolved(across: Set<CulturalRegion>)
    }

    /// Whether a citizenship of a state of today says more about the same person: the Soviet Union gives way to Ukraine
    /// and to Kazakhstan, but not to the United States.
    func givesWay(to other: Country) -> Bool {
        guard case .dissolved(let regions) = continuity, other.continuity == .today else { return false }
        return regions.contains(other.region)
    }
}

/// States by their Wikidata item (metadata.md "Authors": every sovereign state and the historical ones that author data contains).
enum CountryTable {
    /// Every line of the tables.
    static let entries: [(item: String, country: Country)] = regions.flatMap(\.entries)

    /// The state of an item such as `Q145`; `nil` for what is no state, and for one that the tables do not know.
    static func country(_ item: String) -> Country? { countries[item] }

    private static let regions: [RegionStates] = [
        .africa, .asia, .caribbean, .centralAsia, .europe, .europeOfThePast, .international, .middleEast,
        .northAmerica, .oceania, .southAmerica,
    ]

    private static let countries = Dictionary(entries.map { ($0.item, $0.country) }) { first, _ in first }
}

/// The states of one region as text, one item a line: its Wikidata identifier and its short English name.
///
/// Regions follow the geoscheme of the United Nations (M49, https://unstats.un.org/unsd/methodology/m49/); where the
/// contract's regions (§5.3) differ, each table says how. `Indigenous` has no states.
struct RegionStates {
    /// Region of every state in the tables.
    let region: CulturalRegion
    /// Sovereign states, partly recognised ones, and the territories of ISO 3166-1.
    let states: String
    /// Earlier forms of those states, and parts of them that are called countries, under the name of the state.
    let forms: String
    /// States that no single state of today continues; after a `+` further regions in which their lands lay.
    let dissolved: String

    init(region: CulturalRegion, states: String = "", forms: String = "", dissolved: String = "") {
        self.region = region
        self.states = states
        self.forms = forms
        self.dissolved = dissolved
    }

    /// Each item with its state; a line that cannot be read is left out, which the tests of the tables would show.
    var entries: [(item: String, country: Country)] {
        lines(states).map { ($0.item, Country(name: $0.name, region: region, continuity: .today)) }
            + lines(forms).map { ($0.item, Country(name: $0.name, region: region, continuity: .today)) }
            + lines(dissolved).map { ($0.item, dissolvedState($0.name)) }
    }

    private func lines(_ text: String) -> [(item: String, name: String)] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    private func dissolvedState(_ text: String) -> Country {
        let parts = text[...].parts(separatedBy: " + ")
        let others = parts.dropFirst().flatMap { $0[...].parts(separatedBy: ", ") }
            .compactMap { CulturalRegion(rawValue: String($0)) }
        return Country(
            name: String(parts[0]), region: region, continuity: .dissolved(across: Set(others + [region])))
    }
}
