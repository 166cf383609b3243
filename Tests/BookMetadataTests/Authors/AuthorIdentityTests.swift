import BookMetadata
import BookstrackContract
import Testing

@Suite("Author identity")
struct AuthorIdentityTests {
    private func writer(
        _ id: String, _ names: String..., keys: [String] = [], occupations: [String] = ["Q6625963"], human: Bool = true,
        born: Int
    ) -> PersonRecord {
        PersonRecord(
            id: id, names: names, isHuman: human, occupations: occupations, openLibraryKeys: keys,
            genders: ["Q6581072"], birthYear: born)
    }

    /// The birth year of the person that the query finds.
    private func found(_ name: String, key: String? = nil, among records: [PersonRecord]) -> Int? {
        AuthorIdentity.background(of: AuthorQuery(name: name, openLibraryKey: key), among: records)?.birthYear
    }

    @Test("the only writer with the author's name is identified as the author")
    func onlyWriter() {
        let records = [
            writer("Q1", "David Mitchell", born: 1969), writer("Q2", "David Mitchells", born: 1901),
            writer("Q3", "David Mitchell", occupations: ["Q937857"], born: 1990),
            writer("Q4", "David Mitchell", human: false, born: 2000),
        ]
        #expect(found("David Mitchell", among: records) == 1969)
        #expect(found("Mitchell, David", among: records) == 1969)
        #expect(found("DAVID  MITCHELL", among: records) == 1969)
        #expect(found("David Mitch", among: records) == nil)
        #expect(found("Mitchell David", among: records) == nil)
    }

    @Test("if two writers have the same name, neither is chosen")
    func homonyms() {
        let records = [
            writer("Q1", "David Mitchell", born: 1969),
            writer("Q2", "D. Mitchell", "David Mitchell", occupations: ["Q28389"], born: 1974),
        ]
        #expect(found("David Mitchell", among: records) == nil)
        #expect(found("D. Mitchell", among: records) == 1974)
    }

    @Test("an Open Library key identifies the author, whatever the name")
    func openLibraryKey() {
        let records = [
            writer("Q1", "David Mitchell", keys: ["OL1A"], born: 1969),
            writer("Q2", "David Mitchell", keys: ["OL7M", "OL2A"], occupations: [], born: 1974),
            writer("Q3", "David Mitchell", born: 1980),
        ]
        #expect(found("David Mitchell", key: "OL1A", among: records) == 1969)
        #expect(found("David Mitchell", key: "OL2A", among: records) == 1974)
        #expect(found("D. S. Mitchell", key: "OL2A", among: records) == 1974)
    }

    @Test("a different Open Library key rules out a namesake")
    func otherKey() {
        let linked = writer("Q1", "David Mitchell", keys: ["OL1A"], born: 1969)
        let unlinked = writer("Q3", "David Mitchell", keys: ["OL5M"], born: 1980)
        #expect(found("David Mitchell", key: "OL9A", among: [linked]) == nil)
        #expect(found("David Mitchell", key: "OL9A", among: [linked, unlinked]) == 1980)
        #expect(found("David Mitchell", among: [linked, unlinked]) == nil)
    }

    @Test("a key that two people share, or that does not belong to a human, identifies no author")
    func doubtfulKey() {
        let records = [
            writer("Q1", "David Mitchell", keys: ["OL1A"], born: 1969),
            writer("Q2", "David Mitchell", keys: ["OL1A"], born: 1974),
            writer("Q3", "Ellery Queen", keys: ["OL3A"], human: false, born: 1929),
            writer("Q4", "Ellery Queen", born: 1905),
        ]
        #expect(found("David Mitchell", key: "OL1A", among: records) == nil)
        #expect(found("Ellery Queen", key: "OL3A", among: records) == nil)
    }

    @Test("an item returned under two identifiers counts as one person")
    func mergedItems() {
        let record = writer("Q1", "Frank Herbert", born: 1920)
        #expect(found("Frank Herbert", among: [record, record]) == 1920)
    }

    @Test("an author is found despite different diacritics, spacing and initials")
    func spellings() {
        let records = [
            writer("Q1", "Gabriel García Márquez", born: 1927), writer("Q2", "John Ronald Reuel Tolkien", born: 1892),
            writer("Q3", "Ursula K. Le Guin", born: 1929), writer("Q4", "Лев Толстой", born: 1828),
        ]
        #expect(found("Gabriel Garcia Marquez", among: records) == 1927)
        #expect(found("J.R.R. Tolkien", among: records) == 1892)
        #expect(found("J. R. Tolkien", among: records) == nil)
        #expect(found("Ursula Kroeber LeGuin", among: records) == nil)
        #expect(found("Le Guin, Ursula Kroeber", among: records) == 1929)
        #expect(found("Лев Толстой", among: records) == 1828)
        #expect(found("Lev Tolstoy", among: records) == nil)
    }

    @Test("initials that match two people identify neither, and a single initial identifies nobody")
    func ambiguousInitials() {
        let records = [
            writer("Q1", "John Paul Smith", born: 1900), writer("Q2", "James Peter Smith", born: 1910),
            writer("Q3", "Jane Austen", born: 1775),
        ]
        #expect(found("J. P. Smith", among: records) == nil)
        #expect(found("John P. Smith", among: records) == 1900)
        #expect(found("J. Austen", among: records) == nil)
    }

    @Test(
        "placeholder names have no background",
        arguments: ["", "Various", "Unknown", "Anonymous", "anonymous", "Various Authors"])
    func pseudoAuthors(name: String) {
        let records = [writer("Q4233718", "Anonymous", "Various", "Unknown", keys: ["OL1A"], born: 1)]
        #expect(AuthorIdentity.background(of: AuthorQuery(name: name, openLibraryKey: "OL1A"), among: records) == nil)
    }

    @Test("an author gains the known facts and keeps existing ones")
    func adding() {
        var author = AuthorDTO(name: "Frank Herbert", openLibraryID: "OL79034A")
        author.bookCount = 3
        author.nationality = "United States"
        let enriched = author.adding(
            AuthorBackground(gender: .male, culturalRegion: .northAmerica, birthYear: 1920, deathYear: 1986))
        #expect(enriched.name == author.name)
        #expect(enriched.openLibraryID == "OL79034A")
        #expect(enriched.bookCount == 3)
        #expect(enriched.gender == .male)
        #expect(enriched.culturalRegion == .northAmerica)
        #expect(enriched.nationality == "United States")
        #expect(enriched.birthYear == 1920)
        #expect(enriched.deathYear == 1986)
        #expect(enriched.adding(AuthorBackground()) == enriched)
    }
}
