import BookMetadata
import BookstrackContract

/// One author of the recorded tables.
struct TabledAuthor: Hashable {
    /// Wikidata item.
    let id: String
    let name: String
    /// Label of the gender, `Unknown` where the table has none.
    let gender: String
    /// Countries by their label with the table's own word for the region.
    let countries: [TabledCountry]

    /// A country as the tables name it.
    struct TabledCountry: Hashable, Decodable {
        var name: String
        var region: String
    }

    /// The contract's gender for a label of the tables.
    static func gender(_ label: String) -> AuthorGender {
        switch label {
        case "female", "transgender female", "F": .female
        case "male", "transgender male", "M": .male
        case "non-binary", "nonbinary/they", "nonbinary/he": .nonBinary
        default: .unknown
        }
    }

    /// The item for a label of a gender.
    static func genderItem(_ label: String) -> String? {
        switch label {
        case "female": "Q6581072"
        case "male": "Q6581097"
        case "transgender female": "Q1052281"
        case "transgender male": "Q2449503"
        case "non-binary", "nonbinary/they", "nonbinary/he": "Q48270"
        default: nil
        }
    }

    /// The contract's region of a country of the tables; `nil` for what is no country, and where the table says nothing.
    static func region(_ country: TabledCountry) -> CulturalRegion? {
        switch country.region {
        case "Western Europe", "Northern Europe", "Central Europe", "Eastern Europe", "Europe", "Scandinavia",
            "Fennoscandia":
            .europe
        // The alliance or union that a state belonged to, where a region is meant.
        case "Austria-Hungary", "Central Powers", "Allies of the First World War", "Kingdom of Denmark",
            "Post-Soviet states":
            .europe
        case "North America": .northAmerica
        // One word for two of the contract's regions.
        case "Latin America": ["Mexico", "Costa Rica"].contains(country.name) ? .northAmerica : .southAmerica
        case "Oceania", "Australasia": .oceania
        case "East Asia", "South Asia", "Southeast Asia", "China": .asia
        case "West Africa", "East Africa", "Southern Africa", "North Africa": .africa
        case "Middle East": .middleEast
        case "Lesser Antilles": .caribbean
        default: regionsByEye[country.name]
        }
    }

    /// Countries whose region the tables call unknown.
    private static let regionsByEye: [String: CulturalRegion] = [
        "Ireland": .europe, "Scotland": .europe, "Great Britain": .europe, "Kingdom of Prussia": .europe,
        "Kingdom of the Netherlands": .europe, "Austrian Empire": .europe, "Ancient Rome": .europe,
        "Colonial Nigeria": .africa, "Sri Lanka": .asia, "Muzaffarids of Iran": .middleEast,
    ]
}
