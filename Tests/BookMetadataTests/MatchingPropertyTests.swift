import TestSupport
import Testing

@testable import BookMetadata

/// Properties that hold for every comparison of titles, numbers and author cells. Each run uses the same inputs, about
/// 100 000 in total; `BOOKSTRACK_FUZZ_INPUTS` sets another number for each test.
@Suite("Properties of matching")
struct MatchingPropertyTests {
    private static let numberWords = [
        "one", "twenty", "hundred", "thousand", "and", "the", "second", "eighth", "ii", "iv", "xiv", "mix", "band",
        "volume", "vol",
        "book", "part", "no", "serie", "of", "2", "02", "2nd", "3eme", "1984", "99999999999999999999", "zweiter",
        "ocho", "том",
        "第二巻", "上", "三体2", "제1권", "ⅳ", "β", "dune", "",
    ]
    private static let titleWords = [
        "The", "of", "and", "Dune", "Emma", "King", "Henry", "Story", "Poems", "War", "Peace", "Guide", "Part",
        "Volume", "Book",
        "Two", "II", "3", "1984", "First Series", "Messiah", "Children", "A Novel", "Complete", "Abridged", "Trilogy",
        "et", "y",
    ]
    private static let marks = [" ", " ", " ", " ", ": ", " - ", ", ", ". ", " (", ") ", " / ", "; or, ", "? "]
    private static let nameWords = [
        "Herbert", "Frank", "J.", "J. R. R.", "Le", "de", "von", "et", "with", "by", "et al.", "Sir", "Jr.", "PhD",
        "Various",
        "(Illustrator)", "1903-1950", "O'Brien", "Толстой", "村上春樹", ",", ";", " & ", " / ",
    ]

    @Test("if words for numbers are read as digits, a word without a number is kept")
    func numbers() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<RandomText.inputs(usually: 90_000) {
            var words: [String] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                words.append(Self.numberWords[Int(random.next() % UInt64(Self.numberWords.count))])
            }
            let read = Numeral.reading(words)
            // The other words may be read as numbers or omitted, but "dune" must remain.
            let kept = words.count { $0 == "dune" }
            if read.count(where: { $0 == "dune" }) != kept || (read.isEmpty && words != [""]) {
                Issue.record("\(words) were read as \(read)")
            }
        }
    }

    @Test("every author name parsed from an author cell matches itself exactly")
    func authorCells() {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<RandomText.inputs(usually: 8_000) {
            let cell = Self.text(Self.nameWords, marks: [" ", " ", ", ", "; "], most: 4, using: &random)
            for name in AuthorName.list(cell) where name.similarity(to: name) != 1 {
                Issue.record("\(cell.debugDescription): \(name.words)")
            }
        }
    }

    @Test(
        "whether two words differ only by a misspelling does not depend on their order, and a digit never is one",
        arguments: [("siegal", "siegel", true), ("windows", "windows7", false), ("potter", "p0tter", false)])
    func slips(one: String, other: String, isSlip: Bool) {
        #expect(TitleWords.isSlip(one, other) == isSlip)
        #expect(TitleWords.isSlip(other, one) == isSlip)
    }

    @Test("names with different middle names are almost the same, however long the family name is")
    func middleNames() throws {
        for family in ["Dick", "Stevenson"] {
            let (one, other) = try (
                #require(AuthorName("Philip K. \(family)")), #require(AuthorName("Philip Kindred \(family)"))
            )
            #expect(one.similarity(to: other) == 0.9)
        }
    }

    @Test("a title is verified only if its words match all or part of the other title and the numbers are consistent")
    func agreement() {
        var random = SeededGenerator(seed: 13)
        for _ in 0..<RandomText.inputs(usually: 2_000) / 2 {
            let asked = Self.text(Self.titleWords, marks: Self.marks, most: 5, using: &random)
            let given =
                Int.random(in: 0...2, using: &random) == 0
                ? Self.text(Self.titleWords, marks: Self.marks, most: 5, using: &random)
                : asked + Self.text(Self.titleWords, marks: Self.marks, most: 2, using: &random)
            let (ours, theirs) = (TitleForms(asked), TitleForms(given))
            let (there, back) = (TitleComparison(ours, theirs), TitleComparison(theirs, ours))
            let isSure = Self.isSure(there)
            if isSure, !Self.haveWords(ours, theirs), !Self.haveWords(theirs, ours) {
                Issue.record("\(asked.debugDescription) → \(given.debugDescription): different words")
            }
            // Numbers contradict each other whichever title was requested.
            if Self.numbersContradict(there) != Self.numbersContradict(back) {
                Issue.record(
                    "\(asked.debugDescription) ↔ \(given.debugDescription): numbers contradict in one direction only")
            }
            if isSure, Self.numbersContradict(back) {
                Issue.record("\(asked.debugDescription) → \(given.debugDescription): different numbers")
            }
        }
    }

    /// Whether the titles are verified if the authors agree.
    private static func isSure(_ comparison: TitleComparison) -> Bool {
        comparison.similarity >= TitleMatch.verified && comparison.evidence.allSatisfy { $0.limit == .none }
    }

    private static func numbersContradict(_ comparison: TitleComparison) -> Bool {
        comparison.evidence.contains { if case .otherNumber = $0 { true } else { false } }
    }

    /// Whether a title, with or without its subtitle, has the words of a part or of the whole of the other title, ignoring misspellings, word
    /// boundaries, repeated words, fillers, numbers, the rank "King", and nouns that may follow any novel's title.
    private static func haveWords(_ title: TitleForms, _ other: TitleForms) -> Bool {
        let wholes = [title.mainWords, title.allWords]
        return (other.parts + [other.allWords]).contains { part in
            wholes.contains { words in
                let rest = TitleWords.difference(words.filter(tells), part.filter(tells))
                let isRepetition = rest.ours.allSatisfy(part.contains) && rest.theirs.allSatisfy(words.contains)
                return isRepetition || words.joined() == part.joined()
            }
        }
    }

    private static func tells(_ word: String) -> Bool {
        TitleWords.tells(word) && word != "king" && !SubtitleShape.isNovel(word)
    }

    private static func text(
        _ words: [String], marks: [String], most: Int, using random: inout SeededGenerator
    ) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 1...most, using: &random) {
            text += words[Int(random.next() % UInt64(words.count))] + marks[Int(random.next() % UInt64(marks.count))]
        }
        return text
    }
}
