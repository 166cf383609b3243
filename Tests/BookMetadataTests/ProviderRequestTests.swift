import BookIdentifiers
import BookMetadata
import Testing

@Suite("Requests to providers")
struct ProviderRequestTests {
    let dune = ISBN("9780441172719")!
    let emma = ISBN("9780141439587")!

    @Test("the editions of several ISBNs are requested together")
    func details() {
        #expect(
            OpenLibraryRequests.details([dune, emma])
                == "/api/books?bibkeys=ISBN:9780441172719,ISBN:9780141439587&jscmd=details&format=json")
        #expect(
            OpenLibraryRequests.details(editionKeys: ["OL1M"])
                == "/api/books?bibkeys=OLID:OL1M&jscmd=details&format=json")
    }

    @Test("the facts about the works of several ISBNs are requested in one search that lists its fields")
    func workFacts() {
        let path = OpenLibraryRequests.workFacts([dune, emma])
        #expect(path.hasPrefix("/search.json?q=isbn:%289780441172719%20OR%209780141439587%29&fields=key,title,"))
        #expect(path.contains(",isbn,"))
        #expect(path.hasSuffix("&limit=4"))
    }

    @Test("several authors are requested together by their paths in the index")
    func authors() {
        #expect(
            OpenLibraryRequests.authors(["OL26320A", "OL79034A"])
                == "/search/authors.json?q=key:%28%22%2Fauthors%2FOL26320A%22%20OR%20%22%2Fauthors%2FOL79034A%22%29"
                + "&fields=key,name,work_count&limit=2")
    }

    @Test("several works are requested together by their paths in the index")
    func works() {
        #expect(
            OpenLibraryRequests.works(["OL1W", "OL2W"])
                .hasPrefix("/search.json?q=key:%28%22%2Fworks%2FOL1W%22%20OR%20%22%2Fworks%2FOL2W%22%29&fields=key,"))
    }

    @Test("titles and authors with non-ASCII characters are percent-encoded")
    func titleSearch() {
        let path = OpenLibraryRequests.titleSearch(title: "銀河 & Co. (Series, #1)", author: "O’Brien Söhne")
        #expect(
            path.hasPrefix(
                "/search.json?title=%E9%8A%80%E6%B2%B3%20Co&author=O%E2%80%99Brien%20S%C3%B6hne&fields="))
        #expect(OpenLibraryRequests.work("OL45804W") == "/works/OL45804W.json")
    }

    @Test(
        "Google Books is queried by ISBN and by the words of title and author, and only for the fields that are used"
    )
    func google() {
        let byISBN = GoogleBooksRequests.isbn(dune)
        #expect(byISBN.hasPrefix("/volumes?q=isbn:9780441172719&"))
        #expect(byISBN.contains("&fields=totalItems,items%28id,"))
        let byTitle = GoogleBooksRequests.titleSearch(
            title: "The \"Great\" Gatsby: A Novel", author: "Fitzgerald, F. Scott")
        let words = "intitle:The%20intitle:Great%20intitle:Gatsby%20inauthor:Scott%20inauthor:Fitzgerald"
        #expect(byTitle.hasPrefix("/volumes?q=\(words)&"))
    }

    @Test("ISBNdb is asked for the words of a title without its series and subtitle, and of the first author")
    func isbndbFields() {
        let paging = "?page=1&pageSize=20"
        let path = ISBNdbRequests.books(
            title: "Dune: A Novel (Dune Chronicles, #1)", author: "Herbert, Frank (Author)", limit: 20)
        #expect(path == "/books/Dune%20Frank%20Herbert" + paging)
        #expect(ISBNdbRequests.books(title: "Emma", author: "Various", limit: 20) == "/books/Emma" + paging)
        let byAuthor = ISBNdbRequests.books(title: nil, author: "J.R.R. Tolkien", limit: 20)
        #expect(byAuthor == "/books/J%20R%20R%20Tolkien" + paging)
    }

    @Test("free text is sent as words, even if it looks like query syntax")
    func freeText() {
        let path = OpenLibraryRequests.search("Dune: Who AND \"what\"? (1/2)", limit: 20)
        #expect(path.hasPrefix("/search.json?q=Dune%20Who%20and%20what%201%202&fields=key,title,"))
        #expect(path.contains(",editions,editions.key,"))
        #expect(path.hasSuffix("&limit=20"))
        #expect(
            GoogleBooksRequests.search("dune herbert", limit: 100).hasPrefix("/volumes?q=dune%20herbert&maxResults=40&")
        )
        #expect(ISBNdbRequests.books("a/b c", limit: 20) == "/books/a%2Fb%20c?page=1&pageSize=20")
        #expect(ISBNdbRequests.book(dune) == "/book/9780441172719")
    }

    @Test("an author's works are paged and sorted, and the number of a work's editions is limited")
    func lists() {
        let path = OpenLibraryRequests.authorWorks("Frank Herbert", limit: 10, offset: 20, sort: .newest)
        #expect(path.hasPrefix("/search.json?author=Frank%20Herbert&offset=20&sort=new&fields="))
        #expect(
            OpenLibraryRequests.search(title: nil, author: "Herbert", limit: 5).hasPrefix(
                "/search.json?author=Herbert&"))
        #expect(OpenLibraryRequests.editions(ofWork: "OL1W", limit: 50) == "/works/OL1W/editions.json?limit=50")
        #expect(
            GoogleBooksRequests.search(title: "Dune", author: nil, limit: 20, startIndex: 20)
                .hasPrefix("/volumes?q=intitle:Dune&maxResults=20&printType=books&startIndex=20&"))
    }

    @Test("the author in a request is the first person in the cell, in reading order")
    func authorCells() {
        #expect(
            OpenLibraryRequests.titleSearch(title: "Dune", author: "Herbert, Frank; Anderson, Kevin J.")
                .hasPrefix("/search.json?title=Dune&author=Frank%20Herbert&fields="))
        #expect(
            OpenLibraryRequests.authorWorks("Le Guin, Ursula K.", limit: 10)
                .hasPrefix("/search.json?author=Ursula%20K%20Le%20Guin&"))
        #expect(
            GoogleBooksRequests.search(title: nil, author: "Rowling, J.K.", limit: 10)
                .hasPrefix("/volumes?q=inauthor:J%20inauthor:K%20inauthor:Rowling&"))
        #expect(WikidataRequests.search("Adams, Douglas").contains("&search=Douglas%20Adams&"))
    }

    @Test(
        "a title is searched for without the name of an edition at its end, which many records lack",
        arguments: [
            ("XML in a Nutshell, Third Edition", "XML%20in%20a%20Nutshell"), ("Dune Deluxe Edition", "Dune"),
            ("The Pragmatic Programmer, 20th Anniversary Edition: Your Journey", "The%20Pragmatic%20Programmer"),
            ("On Writing Well, 25th Anniversary", "On%20Writing%20Well"),
            ("The First Edition", "The%20First%20Edition"),
        ])
    func withoutEdition(title: String, words: String) {
        let path = OpenLibraryRequests.titleSearch(title: title, author: nil)
        #expect(path.hasPrefix("/search.json?title=\(words)&fields="), "\(path)")
    }

    @Test(
        "a title is searched for again without its volume number if a word for a volume precedes the number",
        arguments: [
            ("Saga, Vol. 2", "Saga"), ("Saga, Volume Two", "Saga"), ("Naruto, Bd. 3", "Naruto"),
            ("The Sandman Book II", "The Sandman"), ("Saga 2", nil), ("Vol. 2", nil), ("Catch-22", nil),
        ])
    func withoutVolume(title: String, shorter: String?) throws {
        let terms = try #require(TitleTerms(title: title, author: "Neil Gaiman"))
        #expect(terms.withoutVolume?.title == shorter)
        #expect(terms.withoutVolume?.author == (shorter == nil ? nil : "Neil Gaiman"))
    }

    @Test("questions that differ in capitals are equal, unless the capitals show which words of a name are initials")
    func capitals() throws {
        func question(_ author: String) throws -> Question {
            .works(try #require(TitleTerms(title: "The Hobbit", author: author)))
        }
        func search(_ author: String) -> Question {
            .workSearch(SearchTerms(.fields(title: "The Hobbit", author: author), limit: 10))
        }
        // Only "JRR Tolkien" is requested without its initials.
        for other in ["jrr tolkien", "JRR TOLKIEN"] {
            #expect(try question("JRR Tolkien") != question(other))
            #expect(search("JRR Tolkien") != search(other))
        }
        #expect(try question("JRR TOLKIEN") == question("jrr tolkien"))
        #expect(try question("J. R. R. Tolkien") == question("j. r. r. tolkien"))
        #expect(search("Frank Herbert") == search("frank herbert"))
    }

    @Test(
        "if there is a title, the author's initials are omitted, because catalogs write them differently; names in capitals are kept"
    )
    func initials() {
        for author in ["J.R.R. Tolkien", "J. R. R. Tolkien", "Tolkien, J. R. R.", "JRR Tolkien", "Tolkien"] {
            #expect(
                OpenLibraryRequests.titleSearch(title: "The Hobbit", author: author)
                    .hasPrefix("/search.json?title=The%20Hobbit&author=Tolkien&"), "\(author)")
        }
        let allCaps = GoogleBooksRequests.titleSearch(title: "KITCHEN GOD", author: "AMY TAN")
        #expect(allCaps.contains("%20inauthor:AMY%20inauthor:TAN&"))
    }

    @Test(
        "text that the general search rejects is sent as a title search",
        arguments: ["It", "春雪", "the", "It?"])
    func shortTitle(text: String) {
        #expect(OpenLibraryRequests.search(text, limit: 20).hasPrefix("/search.json?title="))
    }
}
