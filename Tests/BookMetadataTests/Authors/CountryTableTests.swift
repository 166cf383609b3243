import BookstrackContract
import Testing

@testable import BookMetadata

@Suite("The country table")
struct CountryTableTests {
    @Test("every line of the country table has its own item and the name of a single state")
    func lines() {
        let items = CountryTable.entries.map(\.item)
        #expect(items.count > 600)
        #expect(Set(items).count == items.count)
        for entry in CountryTable.entries {
            let name = entry.country.name
            #expect(entry.item.wholeMatch(of: /Q[1-9][0-9]*/) != nil)
            #expect(name == name[...].singleSpaced)
            #expect(!name.contains("+"), "\(name)")
        }
    }

    @Test("the territory of some dissolved states spans several regions")
    func furtherRegions() {
        let further = CountryTable.entries.filter { entry in
            guard case .dissolved(let regions) = entry.country.continuity else { return false }
            return regions.count > 1
        }
        #expect(further.count == 31)
        #expect(CountryTable.country("Q75613")?.continuity == .dissolved(across: [.africa, .europe]))
    }

    @Test("every country and territory of ISO 3166-1 has its own item")
    func isoCountries() {
        let names = ISOCountries.names
        #expect(names.count == 249)
        #expect(Set(names).count == 249)
        let counts = Dictionary(grouping: states, by: \.name).mapValues(\.count)
        for name in names {
            #expect(counts[name] == 1, "\(name)")
        }
        #expect(
            Set(counts.keys).subtracting(names) == [
                "Abkhazia", "Artsakh", "Kosovo", "Northern Cyprus", "Sahrawi Arab Democratic Republic", "Somaliland",
                "South Ossetia", "Transnistria",
            ])
    }

    @Test("an earlier form of a state has the name and region of a present-day state")
    func forms() {
        let known = Set(states)
        let forms = CountryTable.entries.filter { $0.status == .form }.map(\.country)
        #expect(forms.count == 347)
        for form in forms { #expect(known.contains(form), "\(form.name)") }
    }

    @Test(
        "states are in the regions that users of the contract expect",
        arguments: [
            ("Q145", .europe), ("Q22", .europe), ("Q691", .oceania), ("Q766", .caribbean), ("Q1183", .caribbean),
            ("Q232", .centralAsia), ("Q79", .africa), ("Q1049", .africa), ("Q96", .northAmerica),
            ("Q774", .northAmerica), ("Q43", .middleEast), ("Q794", .middleEast), ("Q801", .middleEast),
            ("Q219060", .middleEast), ("Q889", .asia), ("Q159", .europe), ("Q399", .europe), ("Q230", .europe),
            ("Q229", .europe), ("Q865", .asia), ("Q8646", .asia), ("Q223", .northAmerica), ("Q734", .southAmerica),
            ("Q12560", .middleEast), ("Q27306", .europe), ("Q217169", .africa), ("Q193714", .middleEast),
        ] as [(String, CulturalRegion)])
    func regions(item: String, region: CulturalRegion) {
        #expect(CountryTable.country(item)?.region == region)
    }

    /// The present-day states, without their earlier forms.
    private var states: [Country] { CountryTable.entries.filter { $0.status == .state }.map(\.country) }
}
