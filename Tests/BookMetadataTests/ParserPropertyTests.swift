import BookstrackContract
import Foundation
import TestSupport
import Testing

@testable import BookMetadata

/// Properties that hold for every title and author cell. Each test uses the same random inputs in every run.
@Suite("Properties of title and author parsing")
struct ParserPropertyTests {
    private static let nameWords = [
        "Herbert", "Frank", "J.", "J.K.", "J. R. R.", "Le", "Guin", "de", "von", "y", "et", "und", "and", "with", "by",
        "translated by", "et al.", "Sir", "Dr.", "Lord", "Graf", "Jr.", "III", "PhD", "Various", "Unknown",
        "(Illustrator)",
        "1903-1950", "Homer", "O'Brien", "Толстой", "Лев", "村上春樹", "宮沢", "賢治", "محفوظ", ",", ", ", ";", " & ", " / ",
    ]
    private static let titleWords = [
        "The", "Book", "of", "Dune", "Two", "Part", "Vol.", "Volume", "II", "3", "1/4", "2001", "twenty", "hundred",
        "thousand",
        "the Eighth", "Second", "Trilogy", "Box Set", "Abridged", "(", ")", "[", "]", ": ", " - ", "; or, ", "/ by ",
        "A Novel",
        "Study Guide", "The Graphic Novel", "(Penguin Classics)", "(Dune, #2)", "#1", "edition", "上", "第2巻", "三体",
        "Том", "Τόμος",
        "جلد", "제1권", "1巻", "Ⅲ", "Verfall", "&", "and",
    ]

    @Test("the people in an author cell have distinct names that contain no separators")
    func authorCells() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<RandomText.inputs {
            let cell = RandomText.text(of: Self.nameWords, using: &random)
            let people = AuthorCell(cell).people
            #expect(Set(people).count == people.count, "\(cell.debugDescription)")
            for name in people {
                #expect(name.contains { $0.isLetter || $0.isNumber || !$0.isASCII }, "\(cell.debugDescription)")
                #expect(!name.contains { ",;|/&+()[]{}".contains($0) }, "\(cell.debugDescription)")
            }
        }
    }

    @Test("a cell that contains a name always leads to a search for that name")
    func namedCell() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<RandomText.inputs {
            let name = RandomText.letters(using: &random).capitalized
            let before = ["", "Dr. ", "Sir ", "by ", "(Ed.) ", "J. "].randomElement(using: &random) ?? ""
            let after =
                [
                    "", ", Jr.", " III", ", 1903-1950", " (Illustrator)", " et al.", "; Various", " & ", ", Anna", ",",
                ].randomElement(using: &random) ?? ""
            let cell = before + name + after
            #expect(AuthorCell(cell).first?.contains(name) == true, "\(cell.debugDescription)")
            for request in [
                OpenLibraryRequests.titleSearch(title: "It", author: cell),
                GoogleBooksRequests.titleSearch(title: "It", author: cell),
            ] {
                #expect(request.contains(name), "\(cell.debugDescription) → \(request)")
            }
        }
    }

    @Test("a search request contains the first word of the title, whatever the rest of the title")
    func questions() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<RandomText.inputs {
            let word = RandomText.letters(using: &random)
            let title = "\(word) " + RandomText.text(of: Self.titleWords, using: &random)
            for request in [
                OpenLibraryRequests.titleSearch(title: title, author: nil),
                GoogleBooksRequests.titleSearch(title: title, author: nil),
            ] {
                #expect(request.contains(word), "\(title.debugDescription) → \(request)")
            }
        }
    }

    @Test("a book is verified as itself, whatever its title")
    func identity() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<RandomText.inputs {
            let title = RandomText.letters(using: &random) + " " + RandomText.text(of: Self.titleWords, using: &random)
            let book = try candidate(title, by: ["Frank Herbert"])
            let verdict = TitleMatch.best(for: BookQuery(title: title, author: "Frank Herbert"), among: [book])
            guard case .verified = verdict else {
                Issue.record("\(title.debugDescription): \(verdict)")
                return
            }
        }
    }

    @Test("a candidate's score depends neither on its position in the list nor on duplicates of it")
    func order() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<RandomText.inputs / 10 {
            let query = BookQuery(
                title: RandomText.text(of: Self.titleWords, using: &random),
                author: RandomText.text(of: Self.nameWords, using: &random))
            let candidates = try (0..<4).map { number in
                try candidate(
                    RandomText.text(of: Self.titleWords, using: &random),
                    by: [RandomText.text(of: Self.nameWords, using: &random)], key: "OL\(number)W")
            }
            let judged = TitleMatch.judged(candidates, for: query)
            let reversed = TitleMatch.judged(candidates.reversed() + candidates, for: query)
            #expect(judged.allSatisfy { (0...1).contains($0.score) && $0.score.isFinite })
            #expect(judged.map(\.score) == judged.map(\.score).sorted(by: >))
            for one in judged {
                #expect(
                    reversed.filter { $0.candidate == one.candidate }.allSatisfy { $0.score == one.score }, "\(query)")
            }
        }
    }

    @Test("two volumes are the same book if and only if their numbers are equal, in any notation")
    func volumes() throws {
        let notations: [[String]] = [
            (1...12).map(String.init), ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"],
            ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"],
        ]
        let counters = ["Vol. ", "Volume ", "vol ", "Band ", "tome ", "Tomo "]
        var random = SeededGenerator(seed: 6)
        for _ in 0..<RandomText.inputs {
            let name =
                "The \(RandomText.letters(using: &random).capitalized) of \(RandomText.letters(using: &random).capitalized)"
            let separator = [", ", ": ", " - ", " ", ". "].randomElement(using: &random) ?? " "
            func title(_ number: Int) -> String {
                let counter = counters.randomElement(using: &random) ?? ""
                return name + separator + counter + (notations.randomElement(using: &random)?[number - 1] ?? "")
            }
            let (one, other) = (Int.random(in: 1...12, using: &random), Int.random(in: 1...12, using: &random))
            let (asked, given) = (title(one), title(other))
            let verdict = TitleMatch.best(
                for: BookQuery(title: asked, author: "Frank Herbert"),
                among: [try candidate(given, by: ["Frank Herbert"])])
            switch verdict {
            case .verified: #expect(one == other, "\(asked) → \(given)")
            case .needsReview, .notFound: #expect(one != other, "\(asked) → \(given)")
            }
        }
    }

    @Test(
        "the number of compared characters and parts of a long title is limited",
        arguments: ["1492 - ", "a: ", "Word. Word. ", "x", "Vol. 1 ", "(x) ", "one hundred ", "x; or, "])
    func bounds(piece: String) {
        for forms in [
            TitleForms(String(repeating: piece, count: 10_000)),
            TitleForms("Dune", subtitle: String(repeating: piece, count: 10_000)),
        ] {
            // The words for numbers and volumes may be longer than the written text.
            #expect(forms.allWords.joined().count < 2 * TitleForms.limit.characters)
            #expect(forms.parts.count <= TitlePunctuation.maxPieces)
        }
    }

    @Test("a title or author cell of up to 10 kB that repeats a single piece can be parsed")
    func long() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<max(3, RandomText.inputs / 500) {
            let title = RandomText.repetitive(of: Self.titleWords, using: &random)
            let author = RandomText.repetitive(of: Self.nameWords, using: &random)
            let other = RandomText.repetitive(of: Self.titleWords, using: &random)
            _ = AuthorCell(author).people
            _ = OpenLibraryRequests.titleSearch(title: title, author: author)
            let judged = TitleMatch.judged(
                [try candidate(title, by: [author]), try candidate(other, by: [author])],
                for: BookQuery(title: title, author: author))
            #expect(judged.allSatisfy { (0...1).contains($0.score) })
        }
    }
}
