import BookIdentifiers
import BookMetadata
import BookstrackContract
import Foundation
import SuiteMethods
import Testing
@testable import EnrichmentWorker
@testable import ProviderEmulator

@Suite("Lookups against the emulated providers", .timeLimit(.minutes(2)))
struct LookupTests {
    @Test("a batch of ISBNs is found with editions and work facts, in few requests")
    func batch() async throws {
        var options = WorkerRig.Options()
        options.policy.gathering = .seconds(5)
        try await WorkerRig.run(options) { rig in
            let isbns = EmulatedProviders.isbns(0..<25)
            rig.host.hand(try items(isbns.map(BookQuery.isbn)))
            let found = await rig.host.delivered(25)
            #expect(Set(found.map(\.outcome.key.index)) == Set(0..<25))
            for delivery in found {
                let book = try #require(delivery.row.enriched)
                #expect(delivery.row.success)
                #expect(delivery.row.matchedBy == .isbn)
                #expect(delivery.row.isbn == isbns[delivery.outcome.key.index])
                #expect(book.edition?.isbns.contains(delivery.row.isbn ?? "") == true)
                #expect(book.work.firstPublicationYear == 1900 + delivery.outcome.key.index)
                #expect(delivery.outcome.errorCode == nil)
                #expect(delivery.outcome.title == book.work.title)
            }
            let log = rig.providers.log
            #expect(log.flatMap(\.isbns).count == 50)
            #expect(log.count < 10)
            #expect(log.allSatisfy { $0.provider == "openlibrary" })
        }
    }

    @Test(
        "each outcome records what was found, and which providers were queried, which responded, and which supplied each field"
    )
    func measures() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("9780307887436"), .isbn("9780140449136")]))
            let delivered = await rig.host.delivered(2)
            let found = try #require(delivered.first { $0.outcome.key.index == 0 }?.outcome.measure)
            #expect(found.isByISBN)
            #expect(found.isFound)
            #expect(found.authors == 1)
            #expect(found.quality > 50)
            #expect(found[.openLibrary] == ProviderShare(isAsked: true, isAnswered: true))
            #expect(found[.googleBooks].isAnswered)
            #expect(found[.googleBooks].fields.fields.contains(.title))
            #expect(found[.isbndb] == ProviderShare())
            let missing = try #require(delivered.first { $0.outcome.key.index == 1 }?.outcome.measure)
            #expect(missing.isByISBN)
            #expect(!missing.isFound)
            #expect(missing[.googleBooks] == ProviderShare(isAsked: true, isAnswered: true))
        }
    }

    @Test(
        "a provider that supplied a field counts as queried and as responding, even if the last lookup did not query it"
    )
    func measuresFollowUp() throws {
        var author = AuthorDTO(name: "Jane Austen")
        author.gender = .female
        let book = EnrichedMetadata(work: WorkDTO(title: "Emma"), edition: nil, authors: [author])
        let query = BookQuery(title: "Emma")
        let row = ResultRow(query, LookupSubject(query), .found(MergedBook(book), by: .title, isComplete: true))
        let measure = row.measure(LookupSources())
        #expect(measure[.wikidata].isAsked)
        #expect(measure[.wikidata].isAnswered)
        #expect(measure[.openLibrary] == ProviderShare())
    }

    @Test("a provider that fails counts as queried but not as responding")
    func unanswered() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"provider":"openlibrary","kind":"status","code":400}]"#)
            rig.host.hand(try items([.isbn("9780307887436")]))
            let measure = try #require(try await rig.onlyDelivery().outcome.measure)
            #expect(measure[.openLibrary] == ProviderShare(isAsked: true))
            #expect(measure.isFound)
        }
    }

    @Test("Google Books is queried only for books that Open Library does not have")
    func gap() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("9780307887436"), .isbn("9780441172719")]))
            let found = await rig.host.delivered(2)
            let gap = try #require(found.first { $0.outcome.key.index == 0 }?.row.enriched)
            #expect(gap.work.title == "Ready Player One")
            #expect(gap.work.primaryProvider == .googleBooks)
            #expect(rig.providers.log.filter { $0.provider == "googlebooks" }.map(\.isbns) == [["9780307887436"]])
        }
    }

    @Test("an ISBN that no provider has is reported as not found and not retryable")
    func notFound() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("9780140449136")]))
            let row = try await rig.onlyRow()
            #expect(row.errorCode == .notFound)
            #expect(row.retryable == false)
            #expect(row.error == "Not found by openlibrary, google-books")
        }
    }

    @Test("a different book that a provider returns for the requested ISBN is rejected")
    func wrongBook() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"isbn":"9780441172719","kind":"wrongBook"}]"#)
            rig.host.hand(try items([.isbn("9780441172719")]))
            let row = try await rig.onlyRow()
            #expect(row.errorCode == .notFound)
            #expect(row.enriched == nil)
        }
    }

    @Test("an ISBN that lost its leading zero is repaired and found, and one in scientific notation is rejected")
    func repair() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("441172717"), .isbn("9.78031E+12")]))
            let rows = await rig.host.delivered(2).map(\.row)
            let repaired = try #require(rows.first { $0.success })
            #expect(repaired.isbnRepair == "One lost leading zero was restored.")
            #expect(repaired.enriched?.work.title == "Dune")
            let refused = try #require(rows.first { !$0.success })
            #expect(refused.errorCode == .invalidISBN)
            #expect(refused.error?.contains("scientific notation") == true)
        }
    }

    @Test("an ISBN next to words or another number is found, and the row reports which number was used")
    func isbnCells() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("0441172717 (pbk.)"), .isbn("9780441172719; 0441172717")]))
            for delivery in await rig.host.delivered(2) {
                #expect(delivery.row.enriched?.work.title == "Dune")
                #expect(delivery.row.isbnRepair?.hasPrefix("The first valid number was used") == true)
            }
        }
    }

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
                #expect(delivery.row.success && delivery.row.matchedBy == .title, "\(delivery.row)")
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

    @Test("works that are looked up by identifier are returned with their authors, which are requested together")
    func authorsOfWorks() async throws {
        var options = WorkerRig.Options()
        options.policy.gathering = .seconds(2)
        try await WorkerRig.run(options) { rig in
            let keys = SampleCatalog.books.filter { $0.title.count > 14 && $0.knownTo.contains(.openLibrary) }
                .prefix(20).map { String($0.workKey.dropFirst("/works/".count)) }
            rig.host.hand(try items(keys.map { BookQuery(workId: $0) }))
            let rows = await rig.host.delivered(keys.count).map(\.row)
            #expect(rows.allSatisfy { $0.success })
            #expect(rows.allSatisfy { $0.enriched?.authors.isEmpty == false })
            let searches = rig.providers.log.filter { $0.path.hasPrefix("/search.json") }
            #expect(searches.count < keys.count / 2)
        }
    }

    @Test("a merged work is followed to the current one, and a deleted work or a cycle is not found")
    func retiredWorks() async throws {
        try await WorkerRig.run { rig in
            let keys = ["OL900001W", "OL900002W", "OL900003W", "OL900004W"]
            rig.host.hand(try items(keys.map { BookQuery(workId: $0) }))
            let rows = await rig.host.delivered(4).sorted { $0.outcome.key.index < $1.outcome.key.index }.map(\.row)
            for row in rows.prefix(2) {
                #expect(row.matchedBy == .workId)
                #expect(row.enriched?.work.title == "Dune")
                #expect(row.enriched?.authors.map(\.name) == ["Frank Herbert"])
            }
            for row in rows.suffix(2) {
                #expect(row.errorCode == .notFound)
                #expect(row.retryable == false)
            }
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

    @Test("a work identifier may be an ISBN, an Open Library work ID or a title")
    func workIds() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("9780441172719")]))
            let row = try await rig.onlyRow()
            let dune = try #require(row.enriched?.work.openLibraryWorkID)
            rig.host.hand(
                try items(
                    [BookQuery(workId: "9780441172719"), BookQuery(workId: dune), BookQuery(workId: "Dune")],
                    of: "job-two-2"))
            let rows = await rig.host.delivered(4).dropFirst().sorted { $0.outcome.key.index < $1.outcome.key.index }
            #expect(rows.map(\.row.matchedBy) == [.isbn, .workId, .title])
            #expect(rows.allSatisfy { $0.row.enriched?.work.openLibraryWorkID == dune })
            #expect(rows.allSatisfy { $0.row.enriched?.authors.map(\.name) == ["Frank Herbert"] })
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

@Suite("Lookups and the cache", .timeLimit(.minutes(2)))
struct CachedLookupTests {
    @Test("a restarted worker returns results from its cache without sending requests")
    func restart() async throws {
        let directory = try WorkerRig.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var options = WorkerRig.Options()
        options.directory = directory
        let queries = [BookQuery.isbn("9780441172719"), .isbn("9780307887436"), BookQuery(title: "Dune")]
        try await WorkerRig.run(options) { rig in
            rig.host.hand(try items(queries))
            _ = await rig.host.delivered(3)
        }
        try await WorkerRig.run(options) { rig in
            rig.host.hand(try items(queries))
            #expect(await rig.host.delivered(3).allSatisfy { $0.row.success })
            #expect(rig.providers.log.isEmpty)
        }
    }

    @Test("a failure is not cached")
    func failures() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"kind":"status","code":400}]"#)
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(await rig.host.delivered(1).first?.outcome.errorCode == .providerError)
            rig.providers.setFaults("[]")
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(await rig.host.delivered(2).last?.row.success == true)
        }
    }

    @Test("retrying a book that no provider has sends no request while the cached \"not found\" is fresh")
    func retryOfUnknown() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("9780000000002")]))
            #expect(await rig.host.delivered(1).first?.outcome.errorCode == .notFound)
            let asked = rig.providers.log.count
            rig.host.hand(try items([.isbn("9780000000002")], as: .backgroundRetry))
            #expect(await rig.host.delivered(2).last?.outcome.errorCode == .notFound)
            #expect(rig.providers.log.count == asked)
        }
    }

    @Test("a damaged cache is moved aside, and the worker continues")
    func damaged() async throws {
        let directory = try WorkerRig.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try Data(repeating: 0x5A, count: 8192).write(to: URL(filePath: directory + "/cache.sqlite"))
        var options = WorkerRig.Options()
        options.directory = directory
        try await WorkerRig.run(options) { rig in
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(await rig.host.delivered(1).first?.row.success == true)
        }
        #expect(FileManager.default.fileExists(atPath: directory + "/cache.sqlite.unreadable"))
    }
}

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
