import BookIdentifiers
import BookstrackContract
import SuiteMethods
import Testing
@testable import EnrichmentWorker
@testable import ProviderEmulator

@Suite("Lookups by title", .timeLimit(.minutes(2)))
struct TitleLookupTests {
    @Test("a row with a matching title is verified, and is reported as matched by title even if its ISBN is unusable")
    func titles() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(
                try items([
                    BookQuery(title: "dune", author: "Frank Herbert"),
                    BookQuery(title: "Dune", author: "Frank Herbert", isbn: "978044117271"),
                    BookQuery(title: "銀河鉄道の夜"),
                ]))
            for delivery in await rig.host.delivered(3) {
                #expect(delivery.row.success, "\(delivery.row)")
                #expect(delivery.row.matchedBy == .title, "\(delivery.row)")
                #expect(delivery.row.enriched?.work.reviewStatus == .verified)
            }
        }
    }

    @Test("a doubtful match needs review; a vague title is not found, and its near matches are kept once each")
    func doubtfulTitles() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(
                try items([
                    BookQuery(title: "Ready Player"), BookQuery(title: "Pride"), BookQuery(title: "Qwertzuiop"),
                ]))
            let rows = await rig.host.delivered(3).sorted { $0.outcome.key.index < $1.outcome.key.index }.map(\.row)
            #expect(rows[0].success)
            #expect(rows[0].enriched?.work.reviewStatus == .needsReview)
            #expect(rows[1].errorCode == .notFound)
            #expect(rows[1].candidates?.map(\.work.title) == ["Pride and Prejudice"])
            #expect(rows[2].errorCode == .notFound)
            #expect(rows[2].candidates == nil)
        }
    }

    @Test("books with the same title and different subtitles are separate near matches")
    func nearMatchesOfSeries() async throws {
        let subtitles = ["Broken City", "Dark Victory"]
        var options = WorkerRig.Options()
        options.books = zip(subtitles, EmulatedProviders.isbns(0..<2)).compactMap { subtitle, isbn in
            ISBN(isbn).map {
                CatalogBook(
                    isbn: $0, title: "Batman", subtitle: subtitle, authors: ["Scott Snyder"], knownTo: [.googleBooks])
            }
        }
        try await WorkerRig.run(options) { rig in
            rig.host.hand(try items([BookQuery(title: "Batman: Harvest Breed", author: "Scott Snyder")]))
            let row = try await rig.onlyRow()
            #expect(row.errorCode == .notFound)
            let titles = row.candidates?.compactMap { $0.edition?.title }
            #expect(titles?.sorted() == subtitles.map { "Batman: \($0)" })
        }
    }

    @Test(
        "a title is searched for without its author only if no provider has it by that author, and at most once at each provider"
    )
    func withoutAuthor() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([BookQuery(title: "Dune: A Novel", author: "Herbert, Frank; Schoenherr, John")]))
            let first = try await rig.onlyRow()
            #expect(first.enriched?.work.reviewStatus == .verified)
            #expect(rig.providers.titleRequests.count == 1)
            rig.host.hand(try items([BookQuery(title: "Dune: A Novel", author: "Franklin Herbert")], of: "job-two-2"))
            let row = try #require(await rig.host.delivered(2).last?.row)
            #expect(row.enriched?.work.title == "Dune")
            let second = rig.providers.titleRequests.dropFirst()
            #expect(second.map(\.provider) == ["openlibrary", "googlebooks", "openlibrary"])
            #expect(second.last?.path.hasPrefix("/search.json?title=Dune&fields=") == true)
            rig.host.hand(try items([BookQuery(title: "Qwertzuiop", author: "Nobody Known")], of: "job-three-3"))
            let missing = try #require(await rig.host.delivered(3).last?.row)
            #expect(missing.errorCode == .notFound)
            #expect(rig.providers.titleRequests.count == 8)
        }
    }

    @Test("a book of a large series is searched for with its subtitle if the first results are other books")
    func subtitle() async throws {
        var options = WorkerRig.Options()
        options.books = Series.books
        try await WorkerRig.run(options) { rig in
            rig.host.hand(try items([BookQuery(title: "Batman: Death of the Family", author: "Scott Snyder")]))
            let row = try await rig.onlyRow()
            #expect(row.enriched?.work.title == "Batman: Death of the Family")
            #expect(row.enriched?.work.reviewStatus == .verified)
            let asked = rig.providers.titleRequests
            #expect(asked.map(\.provider) == ["openlibrary", "googlebooks", "openlibrary"])
            #expect(asked.map { $0.path.contains("Family") } == [false, false, true])
        }
    }
}

/// More books with the same title and different subtitles than a provider returns.
enum Series {
    static let books = zip(subtitles, EmulatedProviders.isbns(0..<subtitles.count)).compactMap { subtitle, isbn in
        ISBN(isbn).map { CatalogBook(isbn: $0, title: "Batman: \(subtitle)", authors: ["Scott Snyder"]) }
    }

    private static let subtitles = [
        "Gotham Nocturne", "Dark Victory", "Night Cries", "Haunted Knight", "Broken City", "Ghost Stories",
        "Crimson Mist", "Harvest Breed", "Golden Streets", "Heart of Hush", "Evolution", "Detective", "Contagion",
        "Cataclysm", "Knightfall", "Prodigal", "Legacy", "Officer Down", "Face the Face", "Snow and Ice",
        "Private Casebook", "City of Owls", "Endgame", "Superheavy", "Bloom", "Death of the Family",
    ]
}
