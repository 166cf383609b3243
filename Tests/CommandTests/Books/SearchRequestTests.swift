import ArgumentParser
import BookstrackContract
import Testing

@testable import BookstrackCLI

@Suite("Search requests and reasons for matches")
struct SearchRequestTests {
    @Test(
        "each search has its route, and every character of a query is preserved",
        arguments: [
            (.isbn("978-0-441-17271-9"), nil, "/v1/search/isbn?isbn=978-0-441-17271-9"),
            (.title("war & peace", author: nil), 5, "/v1/search/title?q=war%20%26%20peace"),
            (
                .title("Emma", author: "Jane Austen"), 5,
                "/v1/search/advanced?title=Emma&author=Jane%20Austen&maxResults=5"
            ),
            (.author("劉慈欣"), nil, "/v1/search/advanced?author=%E5%8A%89%E6%85%88%E6%AC%A3"),
            (.author("a+b=c?d#e"), 1, "/v1/search/advanced?author=a%2Bb%3Dc%3Fd%23e&maxResults=1"),
            (
                .editions(title: "Dune", author: "Herbert"), 50,
                "/v1/editions/search?workTitle=Dune&author=Herbert&limit=50"
            ),
            (.editions(title: "Dune", author: "Herbert"), nil, "/v1/editions/search?workTitle=Dune&author=Herbert"),
        ] as [(SearchRequest, Int?, String)])
    func paths(request: SearchRequest, limit: Int?, path: String) {
        #expect(request.path(limit: limit) == path)
    }

    @Test("reasons for the matches can be requested only in title searches")
    func explained() {
        #expect(
            SearchRequest.title("emma", author: nil).path(limit: nil, explained: true).hasSuffix("?q=emma&explain=true")
        )
        let path = SearchRequest.title("emma", author: "austen").path(limit: nil, explained: true)
        #expect(path == "/v1/search/advanced?title=emma&author=austen&explain=true")
        #expect(SearchRequest.isbn("1").path(limit: nil, explained: true) == "/v1/search/isbn?isbn=1")
    }

    @Test(
        "the reasons for each match are printed below the books: the verdict, the score, and the evidence for and against"
    )
    func reasons() {
        let report = MatchReport(
            verifiedFrom: 0.85, reviewFrom: 0.6,
            works: [
                .init(
                    title: "Emma", authors: ["Jane Austen"], verdict: .verified, score: 1,
                    reasons: [.init(agrees: true, text: "the titles agree")]),
                .init(
                    title: "Emma: Volume 2", authors: [], verdict: .other, score: 0.58,
                    reasons: [.init(agrees: false, text: "only the candidate has the number 2")]),
            ])
        #expect(
            MatchText.text(report, limit: nil, width: 100) == """

                Why: books scoring 0.85 or more are verified; others from 0.60 up need review.

                1  verified (1.00): Emma by Jane Austen
                   + the titles agree

                2  a different book (0.58): Emma: Volume 2
                   - only the candidate has the number 2

                """)
        #expect(!MatchText.text(report, limit: 1, width: 100).contains("Volume 2"))
    }

    @Test("a score that is too large is shown as the largest possible one")
    func hugeScore() {
        let work = MatchReport.Work(title: "Emma", authors: [], verdict: .verified, score: 1e300, reasons: [])
        let report = MatchReport(verifiedFrom: 0.85, reviewFrom: 0.6, works: [work])
        #expect(MatchText.text(report, limit: nil, width: 100).contains("verified (92233720368547758.07): Emma"))
    }

    @Test("a limit that is invalid or out of range is rejected before anything is sent", arguments: ["0", "21", "x"])
    func limits(limit: String) throws {
        #expect(throws: (any Error).self) { try SearchTitleCommand.parse(["dune", "--limit", limit]) }
        #expect(throws: (any Error).self) { try SearchAuthorCommand.parse(["herbert", "--limit", limit]) }
        #expect(try SearchEditionsCommand.parse(["dune", "--author", "herbert", "--limit", "50"]).limit == 50)
    }

    @Test("a query of several words needs no quotes, and an empty query and contradictory options are rejected")
    func words() throws {
        #expect(try SearchTitleCommand.parse(["the", "left", "hand"]).words == ["the", "left", "hand"])
        #expect(throws: (any Error).self) { try SearchTitleCommand.parse([]) }
        #expect(throws: (any Error).self) { try SearchTitleCommand.parse(["dune", "--json", "--covers"]) }
        #expect(throws: (any Error).self) { try SearchTitleCommand.parse(["dune", "--json", "--format", "csv"]) }
    }
}
