import BookIdentifiers
import BookMetadata
import BookstrackContract
import Testing
@testable import EnrichmentWorker

@Suite("Lookup keys of a row")
struct LookupSubjectTests {
    private static func describe(_ query: BookQuery) -> String {
        switch LookupSubject(query) {
        case .isbn(let isbn, let repair): "isbn \(isbn)\(repair == nil ? "" : " repaired")"
        case .title(let question, let unusable):
            "title \(question.title)/\(question.author ?? "")\(unusable.map { " " + $0.name } ?? "")"
        case .spine: "spine"
        case .work(let key): "work \(key)"
        case .nothing: "nothing"
        }
    }

    @Test(
        "a row is looked up by its ISBN or work, or else by its title, or else not at all",
        arguments: [
            (BookQuery(title: "Dune", isbn: "0-441-17271-7"), "isbn 9780441172719"),
            (BookQuery(isbn: "441172717"), "isbn 9780441172719 repaired"),
            (BookQuery(title: " Dune  Messiah ", author: "F. Herbert", isbn: ""), "title Dune Messiah/F. Herbert"),
            (BookQuery(title: "Dune", author: "Unknown"), "title Dune/"),
            (BookQuery(title: "Dune", isbn: "9.78044E+12"), "title Dune/ scientific_notation"),
            (BookQuery(isbn: "9780441172710"), "nothing"),
            (BookQuery(title: "  "), "nothing"),
            (BookQuery(author: "Frank Herbert"), "nothing"),
            (BookQuery(workId: "978-0-441-17271-9"), "isbn 9780441172719"),
            (BookQuery(workId: "ol45804w"), "work OL45804W"),
            (BookQuery(workId: "OL45804M"), "title OL45804M/"),
            (BookQuery(workId: "1984"), "title 1984/"),
            (BookQuery(workId: ""), "nothing"),
            (BookQuery(title: "Dune", isbn: "9780441172719", workId: "OL45804W"), "isbn 9780441172719"),
            (BookQuery(title: "Dune", isbn: "9780441172710", workId: "OL45804W"), "work OL45804W"),
            (BookQuery(title: "Dune", workId: "my-work-7"), "title Dune/"),
        ])
    func subject(query: BookQuery, expected: String) {
        #expect(Self.describe(query) == expected)
    }

    @Test(
        "title questions that differ only in spaces and case are equal, and different authors or providers make different questions"
    )
    func cacheKeys() throws {
        let one = try #require(TitleTerms(title: "Dune  Messiah", author: nil))
        let same = try #require(TitleTerms(title: "dune messiah ", author: "Various"))
        let other = try #require(TitleTerms(title: "Dune Messiah", author: "Frank Herbert"))
        #expect(one == same)
        #expect(Question.works(one).cacheKey == Question.works(same).cacheKey)
        let keys = [Question.works(one), .works(other), .volumesByTitle(one), .volumesByTitle(other)].map(\.cacheKey)
        #expect(Set(keys).count == 4)
    }
}
