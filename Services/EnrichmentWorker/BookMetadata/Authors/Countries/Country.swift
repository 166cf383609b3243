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
