import BookstrackContract

/// Maps items of P21 to the contract's genders (§5.3).
enum GenderTable {
    private static let genders: [String: AuthorGender] = [
        // Female, cisgender woman, trans woman, female organism (stated of people by mistake).
        "Q6581072": .female, "Q15145779": .female, "Q1052281": .female, "Q43445": .female,
        // Male, cisgender man, trans man, male organism.
        "Q6581097": .male, "Q15145778": .male, "Q2449503": .male, "Q44148": .male,
        // Non-binary, genderqueer, genderfluid, agender, neutrois, pangender, two-spirit.
        "Q48270": .nonBinary, "Q12964198": .nonBinary, "Q18116794": .nonBinary, "Q505371": .nonBinary,
        "Q1289754": .nonBinary, "Q7130936": .nonBinary, "Q301702": .nonBinary,
    ]

    /// The gender on which all items agree; `unknown` when there are none or they contradict each other.
    static func gender(_ items: [String]) -> AuthorGender {
        let stated = Set(items.map { genders[$0] ?? .other })
        return stated.count == 1 ? stated.first ?? .unknown : .unknown
    }
}
