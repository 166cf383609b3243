import BookstrackContract

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
