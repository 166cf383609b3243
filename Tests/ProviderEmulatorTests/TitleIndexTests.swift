import BookIdentifiers
import Testing

@testable import ProviderEmulator

@Suite("Word searches")
struct TitleIndexTests {
    private let index = TitleIndex([
        .init(title: "The Road", authors: ["Cormac McCarthy"]),
        .init(title: "On the Road", authors: ["Jack Kerouac"]),
        .init(title: "Road", otherTitles: ["La carretera"], authors: ["Jack London"]),
        .init(title: "Cien años de soledad", authors: ["Gabriel García Márquez", "Jack London"]),
        .init(title: "ノルウェイの森", authors: ["村上春樹"]),
    ])

    private func found(title: String = "", author: String = "", free: String = "") -> [Int] {
        index.search(.init(title: title, author: author, free: free))
    }

    @Test(
        "every word must occur in the title, in any order, and an exact title comes first",
        arguments: [
            ("road", [2, 0, 1]), ("the road", [0, 1]), ("road the on", [1]), ("on", [1]), ("roads", []), ("", []),
            ("!?", []),
        ])
    func titles(text: String, expected: [Int]) {
        #expect(found(title: text) == expected)
    }

    @Test(
        "case, accents and full-width letters do not matter",
        arguments: [
            ("CIEN ANOS", [3]), ("cién años", [3]), ("ＲＯＡＤ", [2, 0, 1]), ("ノルウェイの森", [4]),
        ])
    func folding(text: String, expected: [Int]) {
        #expect(found(title: text) == expected)
    }

    @Test("a work is found by the titles of its editions")
    func otherTitles() {
        #expect(found(title: "carretera") == [2])
    }

    @Test(
        "title and author must both match",
        arguments: [
            ("road", "jack", [2, 1]), ("road", "mccarthy cormac", [0]), ("", "jack london", [2, 3]),
            ("road", "tolkien", []),
        ])
    func authors(title: String, author: String, expected: [Int]) {
        #expect(found(title: title, author: author) == expected)
    }

    @Test(
        "a word without a field can occur in the title or in an author's name",
        arguments: [
            ("road jack", [1, 2]), ("london", [2, 3]), ("soledad marquez", [3]), ("soledad tolkien", []),
        ])
    func free(text: String, expected: [Int]) {
        #expect(found(free: text) == expected)
    }

    @Test(
        "a phrase's words must be adjacent and in order, within one title or name",
        arguments: [
            (TitleIndex.Phrase.Field.title, ["the", "road"], [0, 1]), (.title, ["road", "the"], []),
            (.title, ["la", "carretera"], [2]), (.author, ["garcia", "marquez"], [3]),
            (.author, ["marquez", "jack"], []),
            (.anywhere, ["jack", "london"], [2, 3]), (.anywhere, ["de", "soledad"], [3]),
        ])
    func phrases(field: TitleIndex.Phrase.Field, words: [String], expected: [Int]) {
        var query = TitleIndex.Query(free: words.joined(separator: " "))
        query.phrases = [.init(field: field, words: words)]
        #expect(index.search(query).sorted() == expected)
    }

    @Test(
        "words are sequences of letters and digits",
        arguments: [
            ("Catch-22", ["catch", "22"]), ("Cat's Cradle", ["cat", "s", "cradle"]),
            ("V. S. Naipaul", ["v", "s", "naipaul"]), ("  ", []),
        ])
    func words(text: String, words: [String]) {
        #expect(text.foldedWords == words)
    }
}

@Suite("Search query syntax")
struct SearchTextTests {
    private func query(_ text: String) -> TitleIndex.Query {
        SearchText.query(text, titleField: "intitle:", authorField: "inauthor:").trimmed
    }

    @Test(
        "a field applies to the word or phrase after it, and other words have no field",
        arguments: [
            ("dune", "", "", "dune"), ("intitle:dune herbert", "dune", "", "herbert"),
            ("intitle:\"left hand\" inauthor:le", "\"left hand\"", "le", ""),
            ("INTITLE:dune", "dune", "", ""), ("intitle: dune", "", "", "dune"),
            ("dune AND herbert", "", "", "dune herbert"),
            ("inauthor:frank inauthor:herbert", "", "frank herbert", ""), ("(a b) c", "", "", "(a b) c"),
            ("", "", "", ""),
        ])
    func fields(text: String, title: String, author: String, free: String) {
        let query = query(text)
        #expect(query.title == title)
        #expect(query.author == author)
        #expect(query.free == free)
    }

    @Test(
        "quotation marks around several words make a phrase",
        arguments: [
            ("\"left hand\"", [["left", "hand"]]), ("\"dune\"", []), ("intitle:\"le guin\"", [["le", "guin"]]),
            ("left hand", []),
        ])
    func phrases(text: String, phrases: [[String]]) {
        #expect(query(text).phrases.map(\.words) == phrases)
    }

    @Test(
        "ISBNs in a query are read with and without hyphens, and invalid ones are left out",
        arguments: [
            ("isbn:9780441172719", ["9780441172719"]), ("isbn:978-0-441-17271-9", ["9780441172719"]),
            ("ISBN:0441172717", ["9780441172719"]),
            ("isbn:(9780441172719 OR 9780618260300)", ["9780441172719", "9780618260300"]),
            ("isbn:123", []), ("isbn:9780441172710", []), ("9780441172719", []), ("isbn:080442957X", ["9780804429573"]),
        ])
    func isbns(text: String, isbns: [String]) {
        #expect(SearchText.isbns(in: text).map(\.isbn13) == isbns)
    }

    @Test(
        "a query can consist of one or several keys, which are paths",
        arguments: [
            ("key:/works/OL1W", ["/works/OL1W"]),
            ("key:(\"/works/OL1W\" OR \"/works/OL2W\")", ["/works/OL1W", "/works/OL2W"]),
            ("title key:/works/OL1W", []), ("key:", []),
        ])
    func keys(text: String, keys: [String]) {
        #expect(SearchText.keys(in: text) == keys)
    }

    @Test(
        "an author in a query is a key that fault rules can select, without its quotation marks",
        arguments: [
            ("inauthor:\"Gabriel García\"", ["gabriel garcia"]), ("intitle:dune", []), ("inauthor:\"\"", []),
        ])
    func authorKeys(text: String, keys: [String]) {
        #expect(query(text).authorKeys.map(\.text) == keys)
    }
}
