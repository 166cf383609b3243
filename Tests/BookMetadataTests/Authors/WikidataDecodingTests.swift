import BookMetadata
import Foundation
import Testing

@Suite("Wikidata requests and responses")
struct WikidataDecodingTests {
    private func person(_ statements: [(String, StatementFixture)]) throws -> PersonRecord {
        let answer = try EntityFixture.answer([.writer("Q1", "Somebody", statements)])
        return try #require(try Wikidata.decodeEntities(answer)["Q1"])
    }

    @Test("a search is one request with a percent-encoded name, in the language of the name's script")
    func searchRequest() {
        #expect(
            WikidataRequests.search("Ursula K. Le Guin")
                == "/w/api.php?action=wbsearchentities&search=Ursula%20K.%20Le%20Guin&language=en&uselang=en&type=item"
                + "&limit=10&format=json")
        let languages = [
            "Лев Толстой": "ru", "紫式部": "zh", "村上 ハルキ": "ja", "한강": "ko", "نجيب محفوظ": "ar", "עמוס עוז": "he",
            "Όμηρος": "el", "प्रेमचंद": "hi", "Gabriel García Márquez": "en",
        ]
        for (name, language) in languages {
            #expect(WikidataRequests.search(name).contains("&language=\(language)&uselang=en"), "\(name)")
        }
    }

    @Test("several items are requested together")
    func entitiesRequest() {
        let path = WikidataRequests.entities(["Q42", "Q328212"])
        #expect(path.hasPrefix("/w/api.php?action=wbgetentities&ids=Q42%7CQ328212&props=labels%7Caliases%7Cclaims"))
        #expect(path.contains("&languages=en%7Cmul%7C"))
        #expect(path.hasSuffix("&format=json"))
        #expect(WikidataRequests.batchSize == 50)
    }

    @Test("deprecated statements are ignored, and preferred ones outrank normal ones")
    func ranks() throws {
        let record = try person([
            ("P21", .item("Q6581097").ranked("deprecated")), ("P21", .item("Q6581072")),
            ("P27", .item("Q15180")), ("P27", .item("Q159").ranked("preferred")),
            ("P106", .item("Q82955").ranked("deprecated")), ("P648", .text("OL1A").ranked("deprecated")),
            ("P648", .text("OL2A")),
        ])
        #expect(record.genders == ["Q6581072"])
        #expect(record.citizenships == [Citizenship(country: "Q159")])
        #expect(record.occupations == ["Q36180"])
        #expect(record.openLibraryKeys == ["OL2A"])
    }

    @Test("a statement with an unknown or absent value yields no value")
    func withoutValue() throws {
        let record = try person([
            ("P21", .withoutValue("somevalue")), ("P27", .withoutValue("novalue")),
            ("P569", .withoutValue("somevalue")), ("P570", .withoutValue("novalue")),
        ])
        #expect(record.genders.isEmpty)
        #expect(record.citizenships.isEmpty)
        #expect(record.birthYear == nil)
        #expect(record.deathYear == nil)
    }

    @Test(
        "a date yields a year only if its precision is a year or better",
        arguments: [
            ("+1952-03-11T00:00:00Z", 11, 1952), ("+1952-00-00T00:00:00Z", 9, 1952), ("+1950-00-00T00:00:00Z", 8, nil),
            ("+1901-00-00T00:00:00Z", 7, nil), ("-0427-00-00T00:00:00Z", 9, -427), ("-0043-12-07T00:00:00Z", 11, -43),
            ("+00000001616-04-23T00:00:00Z", 11, 1616), ("+0000-00-00T00:00:00Z", 9, nil), ("1952", 11, nil),
            ("+13798000000-00-00T00:00:00Z", 9, nil), ("", 11, nil),
        ] as [(String, Int, Int?)])
    func years(time: String, precision: Int, year: Int?) throws {
        #expect(try person([("P569", .time(time, precision: precision))]).birthYear == year)
    }

    @Test("dates agree if they are in the same year, but not if the years differ or one is only a century")
    func disagreeingYears() throws {
        let april = StatementFixture.time("+1564-04-00T00:00:00Z", precision: 10)
        let christening = StatementFixture.time("+1564-04-26T00:00:00Z")
        let another = StatementFixture.time("+1563-00-00T00:00:00Z", precision: 9)
        let century = StatementFixture.time("+1600-00-00T00:00:00Z", precision: 7)
        #expect(try person([("P569", april), ("P569", christening)]).birthYear == 1564)
        #expect(try person([("P569", april), ("P569", another)]).birthYear == nil)
        #expect(try person([("P569", april), ("P569", century)]).birthYear == nil)
        #expect(try person([("P569", april.ranked("preferred")), ("P569", another)]).birthYear == 1564)
    }

    @Test("a citizenship has ended if it has an end date, whether known or unknown")
    func endedCitizenships() throws {
        let record = try person([
            ("P27", .item("Q34266").ended()), ("P27", .item("Q15180").ended("somevalue")),
            ("P27", .item("Q30").ended("novalue")), ("P27", .item("Q159")),
        ])
        #expect(record.citizenships.map(\.hasEnded) == [true, true, false, false])
    }

    @Test("an item that was merged into another is found under both identifiers")
    func redirects() throws {
        var object = EntityFixture.writer("Q2", "Somebody").object
        object["redirects"] = ["from": "Q1", "to": "Q2"]
        for key in ["Q1", "Q2"] {
            let records = try Wikidata.decodeEntities(try EntityFixture.answer([key: object]))
            #expect(records["Q1"]?.id == "Q2")
            #expect(records["Q1"] == records["Q2"])
        }
    }

    @Test("a truncated response is malformed, wherever it ends")
    func truncated() throws {
        let answer = try EntityFixture.answer([.writer("Q1", "Somebody", [("P569", .time("+1952-03-11T00:00:00Z"))])])
        for length in 0..<answer.count {
            #expect(throws: ProviderBodyError.malformed) { try Wikidata.decodeEntities(answer.prefix(length)) }
        }
    }

    @Test("a response without items yields no records")
    func noItems() throws {
        #expect(try Wikidata.decodeEntities(#"{"entities":[],"success":1}"#.utf8).isEmpty)
        #expect(try Wikidata.decodeSearch(#"{"search":[],"success":1}"#.utf8) == [])
    }

    @Test("properties and lexemes among the search results are ignored")
    func searchIdentifiers() throws {
        let body = #"{"search":[{"id":"Q2"},{"id":"P31"},{"id":"L7"},{"id":"Q"},{"id":1},{"id":"Q10"}],"success":1}"#
        #expect(try Wikidata.decodeSearch(body.utf8) == ["Q2", "Q10"])
    }

    @Test(
        "an error code becomes an error of its kind, and a response of another form is malformed",
        arguments: [
            (#"{"error":{"code":"maxlag","info":"Waiting for a database server"}}"#, ProviderBodyError.exhausted),
            (#"{"error":{"code":"ratelimited"}}"#, .exhausted), (#"{"error":{"code":"readonly"}}"#, .exhausted),
            (#"{"error":{"code":"toomanyvalues"}}"#, .tooManyValues),
            (#"{"error":{"code":"no-such-entity"}}"#, .refused(reason: "no-such-entity")),
            (#"{"error":{}}"#, .refused(reason: "unknown")), ("<html>", .malformed), ("[]", .malformed),
            ("{}", .malformed), ("", .malformed),
        ])
    func errors(body: String, expected: ProviderBodyError) {
        #expect(throws: expected) { try Wikidata.decodeEntities(body.utf8) }
        #expect(throws: expected) { try Wikidata.decodeSearch(body.utf8) }
    }
}
