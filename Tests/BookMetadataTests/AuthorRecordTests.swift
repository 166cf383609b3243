import BookMetadata
import BookstrackContract
import Testing

@Suite("Reading people of Open Library")
struct AuthorRecordTests {
    private func author(_ members: String) throws -> AuthorRecord {
        try OpenLibrary.decodeAuthor(#"{"key": "/authors/OL1A", "name": "Ann Author", \#(members)}"#.utf8)
    }

    @Test(
        "a year of birth is read as catalogues print it",
        arguments: [
            ("31 July 1965", 1965), ("ca. 1850", 1850), ("12/2010", 2010), ("1761 or 2", 1761), ("996 (ca.)", 996),
            ("384 BC", -384), ("43 B.C.", -43), ("70 BCE", -70), ("61 AD", 61), ("480", 480),
        ])
    func years(text: String, year: Int) throws {
        #expect(try author(#""birth_date": "\#(text)""#).birthYear == year)
    }

    @Test("a century or a decade is no year", arguments: ["15th cent.", "4th cent", "195-", "5 May", "", "unknown"])
    func noYears(text: String) throws {
        #expect(try author(#""birth_date": "\#(text)""#).birthYear == nil)
    }

    @Test("other names are kept once, and only a Wikidata item is one")
    func namesAndItem() throws {
        let record = try author(
            #""alternate_names": ["A. Author", "Ann Author", "A. Author", ""], "remote_ids": {"wikidata": "Q42"}"#)
        #expect(record.alternateNames == ["A. Author"] && record.wikidataID == "Q42")
        #expect(try author(#""remote_ids": {"wikidata": "https://example.org"}"#).wikidataID == nil)
    }

    @Test("a record without a name, or an error, is refused")
    func refused() {
        #expect(throws: ProviderBodyError.malformed(.openLibrary)) {
            try OpenLibrary.decodeAuthor(#"{"key": "/authors/OL1A", "name": "Unknown"}"#.utf8)
        }
        #expect(throws: ProviderBodyError.refused(.openLibrary, reason: "notfound")) {
            try OpenLibrary.decodeAuthor(#"{"error": "notfound"}"#.utf8)
        }
    }
}
