import BookstrackContract
import Testing

@testable import BookMetadata

@Suite("Table of states")
struct CountryTableTests {
    @Test("no item stands in two lines, and every line names an item and a state")
    func lines() {
        let items = CountryTable.entries.map(\.item)
        #expect(items.count > 600 && Set(items).count == items.count)
        for (item, country) in CountryTable.entries {
            #expect(item.wholeMatch(of: /Q[1-9][0-9]*/) != nil && country.name == country.name[...].singleSpaced)
            #expect(!country.name.contains("+"), "\(country.name)")
        }
    }

    @Test("every table is read whole")
    func completeness() {
        let tables: [RegionStates] = [
            .africa, .asia, .caribbean, .centralAsia, .europe, .europeOfThePast, .international, .middleEast,
            .northAmerica, .oceania, .southAmerica,
        ]
        for table in tables {
            let lines = (table.states + "\n" + table.forms + "\n" + table.dissolved).split(separator: "\n")
            #expect(table.entries.count == lines.count)
            #expect(statedRegions(of: table) == furtherRegions(of: table))
        }
        #expect(tables.map(\.entries.count).reduce(0, +) == CountryTable.entries.count)
    }

    @Test("every country and territory of ISO 3166-1 has one item of its own")
    func isoCountries() {
        let names = ISOCountries.names
        #expect(names.count == 249 && Set(names).count == 249)
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

    @Test("an earlier form has the name and region of a state of today")
    func forms() {
        let known = Set(states)
        for table in [
            RegionStates.africa, .asia, .caribbean, .centralAsia, .europe, .middleEast, .northAmerica, .oceania,
            .southAmerica,
        ] {
            let forms = RegionStates(region: table.region, states: table.forms).entries
            #expect(!forms.isEmpty && forms.allSatisfy { known.contains($0.country) })
        }
    }

    @Test(
        "regions are as the contract's readers expect",
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

    /// The states of today, without their earlier forms.
    private var states: [Country] {
        [
            RegionStates.africa, .asia, .caribbean, .centralAsia, .europe, .international, .middleEast, .northAmerica,
            .oceania, .southAmerica,
        ].flatMap { RegionStates(region: $0.region, states: $0.states).entries.map(\.country) }
    }

    /// How many regions stand after the `+` of the lines of a table.
    private func statedRegions(of table: RegionStates) -> Int {
        table.dissolved.split(separator: "\n").reduce(0) { sum, line in
            sum + (line.split(separator: "+").dropFirst().first?.split(separator: ",").count ?? 0)
        }
    }

    /// How many regions beside its own the dissolved states of a table name.
    private func furtherRegions(of table: RegionStates) -> Int {
        table.entries.reduce(0) { sum, entry in
            guard case .dissolved(let regions) = entry.country.continuity else { return sum }
            return sum + regions.count - 1
        }
    }
}
