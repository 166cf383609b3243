import BookIdentifiers
import BookMetadata
import BookstrackContract
import Foundation
import Testing

/// A candidate as in a search response from Open Library.
func candidate(_ title: String, by authors: [String], key: String = "OL1W") throws -> BookCandidate {
    let document: [String: Any] = ["key": "/works/\(key)", "title": title, "author_name": authors]
    let body = try JSONSerialization.data(withJSONObject: ["docs": [document]])
    return .work(try OpenLibrary.decodeSearch(body)[0])
}

/// A pair of titles, labeled by hand.
private struct TitlePair {
    /// The required verdict on the only candidate: `same` is verified; `unsure` is left for review or not found;
    /// `other` is never the row's book, and is not even left for review. `README.md` describes the labels.
    enum Expectation: String {
        case same, other, unsure
    }

    let asked: BookQuery
    let candidateTitle: String
    let candidateAuthors: [String]
    let expected: Expectation
    /// The records in which the requested and the candidate title were found; none for invented and recalled titles.
    let sources: [String]

    init(line: String) throws {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        try #require((5...6).contains(fields.count), "\(line)")
        sources = fields.count > 5 ? fields[5].components(separatedBy: "; ") : []
        asked = BookQuery(title: fields[0], author: fields[1])
        candidateTitle = fields[2]
        candidateAuthors = fields[3].components(separatedBy: ", ")
        expected = try #require(Expectation(rawValue: fields[4]), "\(line)")
    }

    static func all(in name: String) throws -> [TitlePair] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            try TitlePair(line: String(line))
        }
    }

    func agrees(with verdict: MatchVerdict) -> Bool {
        switch (expected, verdict) {
        case (.same, .verified), (.other, .notFound), (.unsure, .needsReview), (.unsure, .notFound): true
        default: false
        }
    }
}

@Suite("Pairs of real titles")
struct TitlePairTests {
    /// A wrong verdict may leave the right book for review or miss it, but never verifies a wrong book.
    @Test(
        "a wrong book is never verified, and at least 93 % of the verdicts on each table of title pairs are correct",
        arguments: [
            ("TitlePairs.tsv", 1200, 0.99), ("TitleNotations.tsv", 300, 0.99), ("HeldOutPairs.tsv", 375, 0.95),
            ("HeldOutPairs2.tsv", 231, 0.97), ("HeldOutPairs3.tsv", 518, 0.95), ("HeldOutPairs4.tsv", 504, 0.95),
            ("HeldOutPairs5.tsv", 338, 0.95), ("HeldOutPairs6.tsv", 224, 0.97),
            ("Recalled/Set1.tsv", 198, 0.98), ("Recalled/Set2.tsv", 186, 0.94), ("Recalled/Set3.tsv", 179, 0.95),
            ("Recalled/Set4.tsv", 181, 0.96), ("Recalled/Set5.tsv", 168, 0.94), ("Recalled/Set6.tsv", 161, 0.93),
            ("Recalled/Set7.tsv", 161, 0.97), ("Recalled/Set8.tsv", 143, 0.96), ("Recalled/Set9.tsv", 147, 0.94),
        ])
    func pairs(file: String, fewest: Int, share: Double) throws {
        let pairs = try TitlePair.all(in: file)
        var right = 0
        var wronglyVerified: [String] = []
        for pair in pairs {
            let candidates = [try candidate(pair.candidateTitle, by: pair.candidateAuthors)]
            let verdict = TitleMatch.best(for: pair.asked, among: candidates)
            let reason = TitleMatch.judged(candidates, for: pair.asked)[0].explanation
            if pair.agrees(with: verdict) {
                right += 1
            } else {
                print("  \(pair.expected) expected for “\(pair.asked.displayTitle)”: \(reason)")
            }
            if case .verified = verdict, pair.expected != .same { wronglyVerified.append(reason) }
        }
        let figures = "\(right) of \(pairs.count) right (≥ \(Int(share * 100)) %)"
        print("\(file): \(figures), \(wronglyVerified.count) wrongly verified (0)")
        #expect(pairs.count >= fewest)
        #expect(wronglyVerified == [])
        #expect(Double(right) >= share * Double(pairs.count))
    }

    @Test(
        "each pair in the tables with sources cites two records",
        arguments: [
            "TitlePairs.tsv", "HeldOutPairs.tsv", "HeldOutPairs2.tsv", "HeldOutPairs3.tsv", "HeldOutPairs4.tsv",
            "HeldOutPairs5.tsv", "HeldOutPairs6.tsv",
        ])
    func sources(file: String) throws {
        for pair in try TitlePair.all(in: file) {
            #expect(pair.sources.count == 2, "\(pair.candidateTitle)")
            for source in pair.sources { #expect(Self.isRecord(source), "\(pair.candidateTitle): \(source)") }
        }
    }

    /// Whether a source is an ISBN, or has the form of a record's address at Goodreads, Project Gutenberg, Open Library or Google Books.
    private static func isRecord(_ source: String) -> Bool {
        if source.hasPrefix("ISBN ") { return ISBN(String(source.dropFirst(5)))?.isbn13 == String(source.dropFirst(5)) }
        let record =
            #/goodreads\.com/book/show/\d+|gutenberg\.org/ebooks/\d+|openlibrary\.org/(?:works/OL\d+W|books/OL\d+M)|books\.google\.com/books\?id=[\w-]{12}/#
        return source.wholeMatch(of: record) != nil
    }

    @Test("the examples in the matching documentation are correct")
    func documentation() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let page = try String(
            contentsOf: root.appending(path: "Services/EnrichmentWorker/BookMetadata/Matching/Matching.md"),
            encoding: .utf8)
        var checked = 0
        for line in page.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, let expected = Self.verdicts[cells[1]] else { continue }
            for example in cells[0].components(separatedBy: "; ") {
                let isMutual = example.contains(" ↔ ")
                let sides = example.components(separatedBy: isMutual ? " ↔ " : " → ")
                try #require(sides.count == 2, "\(example)")
                for (asked, given) in isMutual ? [(sides[0], sides[1]), (sides[1], sides[0])] : [(sides[0], sides[1])] {
                    #expect(try Self.verdict(asked, given) == expected, "\(asked) → \(given)")
                    checked += 1
                }
            }
        }
        #expect(checked > 25)
    }

    private static let verdicts = ["same": "verified", "doubt": "for review", "other": "not found"]

    /// The verdict on a book as the only candidate; both titles are by the same author unless they contain "by".
    private static func verdict(_ asked: String, _ given: String) throws -> String {
        let (asked, given) = (asked.components(separatedBy: " by "), given.components(separatedBy: " by "))
        let author = "Somebody Known"
        let book = try candidate(given[0], by: given.count > 1 ? given[1].components(separatedBy: ", ") : [author])
        let query = BookQuery(title: asked[0], author: asked.count > 1 ? asked[1] : author)
        return switch TitleMatch.best(for: query, among: [book]) {
        case .verified: "verified"
        case .needsReview: "for review"
        case .notFound: "not found"
        }
    }

    @Test("a verdict explains in one line the evidence for and against the candidate")
    func explanation() throws {
        let query = BookQuery(title: "The Hunger Games", author: "Suzanne Collins")
        let judged = TitleMatch.judged(
            [
                try candidate("The Hunger Games: Catching Fire", by: ["Suzanne Collins"]),
                try candidate("The Hunger Games", by: ["Suzanne Collins"]),
                try candidate("The Hunger Games (Study Guide)", by: ["SparkNotes"]),
            ], for: query)
        #expect(
            judged.map(\.explanation) == [
                "1.00 The Hunger Games by Suzanne Collins (openlibrary): + the titles agree; + the authors agree",
                "0.58 The Hunger Games: Catching Fire by Suzanne Collins (openlibrary): − only the candidate has the subtitle "
                    + "“catching fire”, a title in a series; + the authors agree",
                "0.55 The Hunger Games (Study Guide) by SparkNotes (openlibrary): + the titles agree; − only the candidate is marked "
                    + "as a guide; − only the candidate has “study guide” in brackets; − the authors differ",
            ])
    }

    @Test(
        "a different volume or book of the series remains a candidate but is never the row's book",
        arguments: [
            ("Harry Potter and the Prisoner of Azkaban", "J.K. Rowling", "Harry Potter and the Chamber of Secrets"),
            ("Война и мир. Том 1", "Лев Толстой", "Война и мир. Том 2"),
            ("The Hunger Games", "Suzanne Collins", "The Hunger Games: Mockingjay"),
            ("Berserk", "Kentaro Miura", "Berserk, Vol. 2"),
            ("The Hunger Games Mockingjay", "Suzanne Collins", "The Hunger Games"),
            ("Come Back, Amelia Bedelia", "Peggy Parish", "Amelia Bedelia (Amelia Bedelia #1)"),
        ])
    func siblings(asked: String, author: String, sibling: String) throws {
        let book = try candidate(sibling, by: [author])
        guard
            case .notFound(let candidates) = TitleMatch.best(
                for: BookQuery(title: asked, author: author), among: [book])
        else {
            Issue.record("the sibling was not rejected")
            return
        }
        #expect(candidates.map(\.candidate) == [book])
    }

    @Test("the requested book is chosen among other books of its series, even if it is last in the list")
    func fewerWords() throws {
        let query = BookQuery(title: "Mistborn: The Final Empire", author: "Brandon Sanderson")
        let titles = [
            "Mistborn: Secret History", "Mistborn Trilogy Boxed Set", "Mistborn", "The Final Empire (Mistborn, Book 1)",
        ]
        let verdict = TitleMatch.best(
            for: query, among: try titles.map { try candidate($0, by: ["Brandon Sanderson"], key: "OL\($0.count)W") })
        guard case .verified(let match, _) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(match.candidate.title == "The Final Empire (Mistborn, Book 1)")
    }

    @Test(
        "if no author is given, a title that two authors used is left for review, even if only one candidate has exactly that title"
    )
    func namesakes() throws {
        let candidates = [
            try candidate("Legend", by: ["Marie Lu"]),
            try candidate("Legend: A Novel", by: ["David Gemmell"], key: "OL2W"),
        ]
        guard case .needsReview = TitleMatch.best(for: BookQuery(title: "Legend"), among: candidates) else {
            Issue.record("the title was not left for review")
            return
        }
    }

    @Test("a title that two authors used ranks above a title that is itself in doubt")
    func namesakesFirst() throws {
        let candidates = [
            try candidate("The Tempest (No Fear Shakespeare)", by: ["William Shakespeare"]),
            try candidate("The Tempest", by: ["William Shakespeare"], key: "OL2W"),
            try candidate("The Tempest", by: ["John Dryden"], key: "OL3W"),
        ]
        let judged = TitleMatch.judged(candidates, for: BookQuery(title: "The Tempest"))
        #expect(judged.map(\.candidate) == [candidates[1], candidates[2], candidates[0]])
    }
}
