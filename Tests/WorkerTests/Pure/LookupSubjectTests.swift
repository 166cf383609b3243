import BookIdentifiers
import BookstrackContract
import Testing

@testable import EnrichmentWorker

@Suite("What a row is looked up by")
struct LookupSubjectTests {
    private static func describe(_ query: BookQuery) -> String {
        switch LookupSubject(query) {
        case .isbn(let isbn, let repair): "isbn \(isbn)\(repair == nil ? "" : " repaired")"
        case .title(let question, let unusable):
            "title \(question.title)/\(question.author ?? "")\(unusable.map { " " + $0.name } ?? "")"
        case .work(let key): "work \(key)"
        case .nothing: "nothing"
        }
    }

    @Test(
        "by its number, else by its title, else by nothing",
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
        ])
    func subject(query: BookQuery, expected: String) {
        #expect(Self.describe(query) == expected)
    }

    @Test("spaces and case do not tell two title questions apart; author and provider do")
    func cacheKeys() throws {
        let one = try #require(TitleQuestion(title: "Dune  Messiah", author: nil))
        let same = try #require(TitleQuestion(title: "dune messiah ", author: "Various"))
        let other = try #require(TitleQuestion(title: "Dune Messiah", author: "Frank Herbert"))
        #expect(one == same && Question.works(one).cacheKey == Question.works(same).cacheKey)
        let keys = [Question.works(one), .works(other), .volumesByTitle(one), .volumesByTitle(other)].map(\.cacheKey)
        #expect(Set(keys).count == 4)
    }
}
