import BookMetadata
import BookstrackContract
import Testing

@Suite("Author background")
struct AuthorBackgroundTests {
    private func background(genders: [String] = [], citizenships: [Citizenship] = []) throws -> AuthorBackground {
        let record = PersonRecord(
            id: "Q1", names: ["Somebody Else"], occupations: ["Q36180"], genders: genders, citizenships: citizenships)
        return try #require(AuthorIdentity.background(of: AuthorQuery(name: "Somebody Else"), among: [record]))
    }

    private func origin(_ countries: String..., ended: [String] = []) throws -> [String?] {
        let citizenships = countries.map { Citizenship(country: $0, hasEnded: ended.contains($0)) }
        let background = try background(citizenships: citizenships)
        return [background.culturalRegion?.rawValue, background.nationality]
    }

    @Test(
        "genders map to the contract's five values, and contradictory statements make the gender unknown",
        arguments: [
            (["Q6581072"], .female), (["Q6581097"], .male), (["Q1052281"], .female), (["Q2449503"], .male),
            (["Q48270"], .nonBinary), (["Q12964198"], .nonBinary), (["Q18116794"], .nonBinary),
            (["Q505371"], .nonBinary), (["Q1097630"], .other), (["Q189125"], .other), ([], .unknown),
            (["Q6581072", "Q6581097"], .unknown), (["Q6581072", "Q48270"], .unknown),
            (["Q6581072", "Q1052281"], .female), (["Q48270", "Q12964198"], .nonBinary),
        ] as [([String], AuthorGender)])
    func genders(items: [String], gender: AuthorGender) throws {
        #expect(try background(genders: items).gender == gender)
    }

    @Test("an author receives the person's Goodreads identifier, and keeps the existing one if the person has none")
    func goodreads() throws {
        let people = [[], ["4", "5"]].map {
            PersonRecord(id: "Q1", names: ["Somebody Else"], occupations: ["Q36180"], goodreadsIDs: $0)
        }
        let backgrounds = people.map { AuthorIdentity.background(of: AuthorQuery(name: "Somebody Else"), among: [$0]) }
        var author = AuthorDTO(name: "Somebody Else")
        author.goodreadsID = "3"
        #expect(backgrounds.compactMap { $0.map(author.adding)?.goodreadsID } == ["3", "4"])
    }

    @Test("a single citizenship determines nationality and region")
    func oneCitizenship() throws {
        #expect(try origin("Q145") == ["Europe", "United Kingdom"])
        #expect(try origin("Q691") == ["Oceania", "Papua New Guinea"])
        #expect(try origin("Q766") == ["Caribbean", "Jamaica"])
        #expect(try origin("Q232") == ["Central Asia", "Kazakhstan"])
        #expect(try origin("Q1747689") == ["Europe", "Ancient Rome"])
        #expect(try origin("Q15180") == ["Europe", "Soviet Union"])
        #expect(try origin("Q43287") == ["Europe", "Germany"])
    }

    @Test("two citizenships in one region determine only the region")
    func oneRegion() throws {
        #expect(try origin("Q142", "Q183") == ["Europe", nil])
        #expect(try origin("Q28513", "Q33946") == ["Europe", nil])
    }

    @Test("two citizenships in different regions determine neither nationality nor region")
    func severalRegions() throws {
        #expect(try origin("Q298", "Q30") == [nil, nil])
        #expect(try origin("Q34266", "Q30") == [nil, nil])
    }

    @Test("a citizenship that has ended is ignored if another one has not ended")
    func endedCitizenship() throws {
        #expect(try origin("Q17", "Q145", ended: ["Q17"]) == ["Europe", "United Kingdom"])
        #expect(try origin("Q17", ended: ["Q17"]) == ["Asia", "Japan"])
        #expect(try origin("Q17", "Q145", ended: ["Q17", "Q145"]) == [nil, nil])
    }

    @Test("an earlier form of a state counts as the present-day state")
    func earlierForms() throws {
        #expect(try origin("Q174193", "Q145") == ["Europe", "United Kingdom"])
        #expect(try origin("Q43287", "Q41304", "Q7318", "Q713750") == ["Europe", "Germany"])
        #expect(try origin("Q8733", "Q13426199", "Q148") == ["Asia", "China"])
    }

    @Test("a dissolved state is ignored if the author is also a citizen of a present-day state on its territory")
    func dissolvedStates() throws {
        #expect(try origin("Q34266", "Q15180", "Q212") == ["Europe", "Ukraine"])
        #expect(try origin("Q15180", "Q813") == ["Central Asia", "Kyrgyzstan"])
        #expect(try origin("Q36704", "Q403") == ["Europe", "Serbia"])
        #expect(try origin("Q12560", "Q41") == ["Europe", "Greece"])
        #expect(try origin("Q129286", "Q843") == ["Asia", "Pakistan"])
        #expect(try origin("Q28179", "Q884") == ["Asia", "South Korea"])
    }

    @Test("an item that is not a state leaves nationality and region unknown")
    func unknownStates() throws {
        #expect(try origin("Q17042") == [nil, nil])
        #expect(try origin("Q30", "Q17042") == [nil, nil])
        #expect(try origin() == [nil, nil])
    }
}
