import ArgumentParser
import Testing

@testable import BookstrackCLI

@Suite("What is searched for")
struct SearchRequestTests {
    @Test(
        "each search has its route, and every character of a query arrives",
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

    @Test("a limit beyond what the route takes is refused before anything is sent", arguments: ["0", "21", "x"])
    func limits(limit: String) throws {
        #expect(throws: (any Error).self) { try SearchTitleCommand.parse(["dune", "--limit", limit]) }
        #expect(throws: (any Error).self) { try SearchAuthorCommand.parse(["herbert", "--limit", limit]) }
        #expect(try SearchEditionsCommand.parse(["dune", "--author", "herbert", "--limit", "50"]).limit == 50)
    }

    @Test("words need no quotes")
    func words() throws {
        #expect(try SearchTitleCommand.parse(["the", "left", "hand"]).words == ["the", "left", "hand"])
        #expect(throws: (any Error).self) { try SearchTitleCommand.parse([]) }
        #expect(throws: (any Error).self) { try SearchTitleCommand.parse(["dune", "--json", "--covers"]) }
    }
}
