import BookIdentifiers
import BookstrackContract
import Foundation
import JSONRPC
import SuiteMethods
import TestSupport
import Testing

@testable import EnrichmentWorker
@testable import ProviderEmulator

@Suite("Searches", .timeLimit(.minutes(1)))
struct SearchTests {
    private static let dune = SearchQuery(.isbn, isbn: "9780441172719", limit: 1)

    private func search(
        _ query: SearchQuery, of client: String? = nil, at rig: WorkerRig
    ) async throws -> (head: SearchAnswer.Head, results: SearchResults) {
        let answer = try await rig.searcher.answer(.init(.init(query: query, shape: .contract), client: client))
        return (answer.head, try BodyCoding.decode(SearchResults.self, from: answer.data))
    }

    private func failure(_ query: SearchQuery, at rig: WorkerRig) async -> String? {
        do {
            _ = try await search(query, at: rig)
            return nil
        } catch {
            return (error as? RPCApplicationError)?.detail.code
        }
    }

    @Test("an ISBN is searched for at Open Library and Google Books together, and found in the cache the second time")
    func byISBN() async throws {
        try await WorkerRig.run { rig in
            let first = try await search(Self.dune, at: rig)
            #expect(first.results.works.map(\.title) == ["Dune"])
            #expect(first.results.editions.count == 1)
            #expect(first.head.provider == "openlibrary")
            #expect(first.head.ageSeconds == nil)
            #expect(!first.head.isStale)
            #expect(Set(first.results.works[0].contributors ?? []) == [.openLibrary, .googleBooks])
            let asked = rig.providers.log.count(where: Self.isAboutBooks)
            await rig.cache.flush()
            let second = try await search(Self.dune, at: rig)
            #expect(second.head.ageSeconds != nil)
            #expect(rig.providers.log.count(where: Self.isAboutBooks) == asked)
        }
    }

    @Test("one client's searches do not use up the daily requests of a metered provider")
    func shares() async throws {
        var options = WorkerRig.Options()
        options.googleBudget = 4
        try await WorkerRig.run(options) { rig in
            /// The outcome with which Google Books failed, if it did.
            func failure(_ words: String, of client: String) async throws -> ProviderReport.Outcome? {
                let found = try await search(SearchQuery(.title, title: words, limit: 20), of: client, at: rig)
                return found.head.providers?.first { $0.provider == .googleBooks }?.outcome
            }
            var busy: [ProviderReport.Outcome?] = []
            for words in ["dune", "emma", "ulysses"] { busy.append(try await failure(words, of: "busy")) }
            #expect(busy == [nil, nil, .quotaExhausted])
            let modest = try await failure("dune messiah", of: "modest")
            #expect(modest == nil)
        }
    }

    @Test("a search cancels its calls once no client is waiting for it")
    func abandoned() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"kind":"hang"}]"#)
            let asked = Task { await failure(Self.dune, at: rig) }
            try await until { rig.providers.inFlight > 0 }
            asked.cancel()
            // The search does not wait for the providers' timeouts.
            #expect(await asked.value != "PROVIDER_TIMEOUT")
            try await until { rig.providers.inFlight == 0 }
            #expect(rig.worker.scheduler.waiting == 0)
        }
    }

    /// Whether a request is about books; requests about authors are sent in the background.
    private static func isAboutBooks(_ request: LoggedRequest) -> Bool {
        request.provider != "wikidata" && !request.path.hasPrefix("/search/authors.json")
    }

    @Test("a search by title, with or without an author, finds books, best match first, with editions for the works")
    func byWords() async throws {
        try await WorkerRig.run { rig in
            let found = try await search(SearchQuery(.title, title: "dune", limit: 20), at: rig)
            #expect(found.results.works.first?.title == "Dune")
            #expect(found.results.editions.count >= found.results.works.count)
            #expect(found.results.resultCount == found.results.works.count)
            let both = try await search(
                SearchQuery(.advanced, title: "Dune", author: "Herbert", limit: 20), at: rig)
            #expect(both.results.authors.first?.name == "Frank Herbert")
        }
    }

    @Test("a book of a large series is found by its title and subtitle if the first results are other books")
    func subtitle() async throws {
        var options = WorkerRig.Options()
        options.books = Series.books
        try await WorkerRig.run(options) { rig in
            let title = "Batman: Death of the Family"
            let query = SearchQuery(.advanced, title: title, author: "Scott Snyder", limit: 20)
            let found = try await search(query, at: rig)
            #expect(found.results.works.first?.title == title)
            #expect(found.results.works.filter { $0.reviewStatus == .verified }.map(\.title) == [title])
            for provider in ["openlibrary", "googlebooks"] {
                let asked = rig.providers.titleRequests.filter { $0.provider == provider }
                #expect(asked.map { $0.path.contains("Family") } == [false, true])
            }
        }
    }

    @Test("a search asks ISBNdb for a book of a large series with its subtitle if the first results are other books")
    func subtitleAtISBNdb() async throws {
        var options = WorkerRig.Options(hasISBNdb: true)
        options.books = Series.books
        try await WorkerRig.run(options) { rig in
            rig.providers.setFaults(
                #"""
                [{"provider":"openlibrary","kind":"status","code":400},
                 {"provider":"googlebooks","kind":"status","code":400}]
                """#)
            let title = "Batman: Death of the Family"
            let query = SearchQuery(.advanced, title: title, author: "Scott Snyder", limit: 20)
            let found = try await search(query, at: rig)
            #expect(found.results.editions.contains { $0.title == title })
            let asked = rig.providers.log.filter { $0.provider == "isbndb" }
            #expect(asked.map { $0.path.contains("Family") } == [false, true])
        }
    }

    @Test("a subtitle is not sent to providers that return all books with the title")
    func unknownSubtitle() async throws {
        try await WorkerRig.run { rig in
            let query = SearchQuery(.advanced, title: "Dune: The Desert Planet", author: "Frank Herbert", limit: 20)
            let found = try await search(query, at: rig)
            #expect(found.results.works.first?.title == "Dune")
            #expect(rig.providers.titleRequests.count == 2)
        }
    }

    @Test(
        "a search for punctuation alone finds nothing and queries no provider",
        arguments: [
            SearchQuery(.title, title: "×…¸", limit: 20), SearchQuery(.advanced, title: "?!", author: "--", limit: 20),
            SearchQuery(.author, author: "(…)", limit: 20),
        ])
    func punctuation(query: SearchQuery) async throws {
        try await WorkerRig.run { rig in
            let found = try await search(query, at: rig)
            #expect(found.results.works.isEmpty)
            #expect(rig.providers.log.isEmpty)
        }
    }

    @Test("the pages of an author's works come from one sorted list, which is requested from Open Library once")
    func authorWorks() async throws {
        try await WorkerRig.run { rig in
            var titles: [String] = []
            for offset in 0..<3 {
                let page = try await search(
                    SearchQuery(.author, author: "Ursula K. Le Guin", limit: 1, offset: offset, order: .title), at: rig)
                titles += page.results.works.map(\.title)
                #expect(page.results.totalResults == 2)
                await rig.cache.flush()
            }
            #expect(titles == ["A Wizard of Earthsea", "The Left Hand of Darkness"])
            let lists = rig.providers.log.filter { $0.path.hasPrefix("/search.json") }
            #expect(lists.count == 1)
        }
    }

    @Test(
        "the pages of a long list of works contain each work once and have the same total, whatever the order",
        arguments: [nil, .newest, .oldest, .title, .popularity] as [SearchQuery.Order?])
    func longAuthorWorks(order: SearchQuery.Order?) async throws {
        var options = WorkerRig.Options()
        options.books = (0..<500).compactMap { SyntheticCatalog.book($0) }
        let known = Set((options.books ?? []).filter { $0.authors[0].hasSuffix(" Abel") }.map(\.title))
        #expect(known.count > 100)
        try await WorkerRig.run(options) { rig in
            var titles: [String] = []
            for offset in stride(from: 0, through: 120, by: 30) {
                let page = try await search(
                    SearchQuery(.author, author: "abel", limit: 30, offset: offset, order: order), at: rig)
                titles += page.results.works.map(\.title)
                #expect(page.results.totalResults == known.count)
                await rig.cache.flush()
            }
            #expect(titles.count == known.count)
            #expect(Set(titles) == known)
            let lists = rig.providers.log.filter { $0.path.hasPrefix("/search.json") }
            #expect(lists.count == 2)
        }
    }

    @Test("an ISBNdb book keeps the time of its retrieval, even if it comes from the cache")
    func lastISBNdbSync() async throws {
        var options = WorkerRig.Options()
        options.hasISBNdb = true
        try await WorkerRig.run(options) { rig in
            rig.providers.setFaults(
                #"[{"provider":"openlibrary","kind":"status","code":400},{"provider":"googlebooks","kind":"status","code":400}]"#
            )
            let before = ISO8601Milliseconds.string(fromSeconds: Int64(Date().timeIntervalSince1970))
            let first = try await search(Self.dune, at: rig)
            let time = try #require(first.results.works.first?.lastISBNDBSync)
            #expect(time >= before)
            #expect(time.count == before.count)
            #expect(first.results.editions.first?.lastISBNDBSync == time)
            await rig.cache.flush()
            let second = try await search(Self.dune, at: rig)
            #expect(second.results.works.first?.lastISBNDBSync == time)
        }
    }

    @Test("a search that finds nothing succeeds, with \"none\" as its provider")
    func nothing() async throws {
        try await WorkerRig.run { rig in
            let found = try await search(SearchQuery(.isbn, isbn: "9780140449136", limit: 1), at: rig)
            #expect(found.results == SearchResults.none)
            #expect(found.head.provider == "none")
            #expect(found.head.freshSeconds <= 300)
        }
    }

    @Test("while one provider fails, the other one is used, and the result reports the failure and is not cached")
    func oneFails() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"provider":"openlibrary","kind":"status","code":400}]"#)
            let found = try await search(Self.dune, at: rig)
            #expect(found.results.works.first?.primaryProvider == .googleBooks)
            let outcomes = found.head.providers?.map { "\($0.provider.rawValue) \($0.outcome.rawValue)" }
            #expect(outcomes == ["openlibrary error", "google-books ok"])
            #expect(found.head.freshSeconds == 0)
        }
    }

    @Test(
        "if all providers fail, the search fails with the reason, and nothing is cached",
        arguments: [
            (#"{"kind":"status","code":400}"#, "PROVIDER_ERROR"), (#"{"kind":"garbage"}"#, "PROVIDER_ERROR"),
            (#"{"kind":"quota","code":403}"#, "QUOTA_EXHAUSTED"),
            (#"{"kind":"status","code":429,"retryAfter":600}"#, "QUOTA_EXHAUSTED"),
        ])
    func allFail(fault: String, code: String) async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults("[\(fault)]")
            #expect(await failure(Self.dune, at: rig) == code)
            #expect(await failure(SearchQuery(.title, title: "Dune", limit: 20), at: rig) == code)
            await rig.cache.flush()
            let statistics = try await rig.cache.statistics()
            #expect(statistics.entries == 0)
        }
    }

    @Test(
        "editions of a work are found by its title, and a search for the editions of an unknown work fails as not found"
    )
    func editions() async throws {
        try await WorkerRig.run { rig in
            let query = SearchQuery(.editions, title: "Dune", author: "Frank Herbert", limit: 50)
            let answer = try await rig.searcher.answer(.init(.init(query: query, shape: .contract), client: nil))
            let results = try BodyCoding.decode(EditionResults.self, from: answer.data)
            #expect(results.editions.contains { $0.isbns.contains("9780441172719") })
            #expect(await failure(SearchQuery(.editions, title: "Qwertzuiop", limit: 50), at: rig) == "NOT_FOUND")
        }
    }

    @Test("editions of a book in a large series are found by its title and subtitle")
    func editionsOfSeries() async throws {
        var options = WorkerRig.Options()
        options.books = Series.books
        try await WorkerRig.run(options) { rig in
            let title = "Batman: Death of the Family"
            let query = SearchQuery(.editions, title: title, author: "Scott Snyder", limit: 50)
            let answer = try await rig.searcher.answer(.init(.init(query: query, shape: .contract), client: nil))
            let results = try BodyCoding.decode(EditionResults.self, from: answer.data)
            #expect(results.editions.map(\.title) == [title])
        }
    }

    @Test("editions of a book include those whose records lack its subtitle")
    func editionsWithoutSubtitle() async throws {
        let titles = ["Sapiens: A Brief History of Humankind", "Sapiens"]
        var options = WorkerRig.Options()
        options.books = zip(titles, EmulatedProviders.isbns(0..<2)).compactMap { title, isbn in
            ISBN(isbn).map { CatalogBook(isbn: $0, title: title, authors: ["Yuval Noah Harari"]) }
        }
        try await WorkerRig.run(options) { rig in
            let query = SearchQuery(.editions, title: titles[0], author: "Yuval Noah Harari", limit: 50)
            let answer = try await rig.searcher.answer(.init(.init(query: query, shape: .contract), client: nil))
            let results = try BodyCoding.decode(EditionResults.self, from: answer.data)
            #expect(Set(results.editions.compactMap(\.title)) == Set(titles))
        }
    }

    @Test("a result contains only the facts about authors that are cached, and a later result contains all facts")
    func authors() async throws {
        try await WorkerRig.run { rig in
            let first = try await search(Self.dune, at: rig)
            #expect(first.results.authors.map(\.gender) == [.unknown])
            #expect(first.head.freshSeconds <= 5)
            try await waitForAuthor(at: rig)
            await rig.cache.flush()
            let later = try await search(Self.dune, at: rig)
            #expect(later.results.authors.first?.birthYear == 1920)
            #expect(later.head.freshSeconds > 5)
        }
    }

    @Test("a search result stays fresh for at most half a day, so that its books can be reported")
    func freshness() async throws {
        try await WorkerRig.run { rig in
            try await waitForAuthor(at: rig)
            #expect(try await search(Self.dune, at: rig).head.freshSeconds == 43_200)
        }
    }

    /// Returns once all data about the author is known; it arrives last, because it is requested in the background.
    private func waitForAuthor(at rig: WorkerRig) async throws {
        try await until { try await search(Self.dune, at: rig).head.freshSeconds > 5 }
    }

    @Test(
        "an expired result is served immediately and marked as stale, both while it is refreshed and while providers fail"
    )
    func expired() async throws {
        let clock = ManualClock()
        var options = WorkerRig.Options()
        options.cacheClock = clock
        try await WorkerRig.run(options) { rig in
            _ = try await search(Self.dune, at: rig)
            await rig.cache.flush()
            let asked = rig.providers.log.filter { $0.provider == "openlibrary" }.count
            clock.move(by: .seconds(60 * 86_400))
            let old = try await search(Self.dune, at: rig)
            #expect(old.head.isStale)
            #expect(old.head.freshSeconds == 0)
            #expect((old.head.ageSeconds ?? 0) >= 59 * 86_400)
            #expect(old.results.works.first?.title == "Dune")
            try await until { try await !search(Self.dune, at: rig).head.isStale }
            await rig.cache.flush()
            #expect(rig.providers.log.filter { $0.provider == "openlibrary" }.count > asked)
            clock.move(by: .seconds(60 * 86_400))
            rig.providers.setFaults(#"[{"kind":"status","code":400}]"#)
            #expect(try await search(Self.dune, at: rig).head.isStale)
        }
    }

    @Test("an operator can see how the cache is used, and can empty it")
    func operators() async throws {
        try await WorkerRig.run { rig in
            _ = try await search(Self.dune, at: rig)
            await rig.cache.flush()
            try await waitForAuthor(at: rig)
            let statistics = try await rig.cache.statistics()
            #expect(statistics.entries >= 3)
            #expect(statistics.hits >= 3)
            #expect(statistics.misses >= 3)
            #expect(try await rig.cache.purge() >= 3)
            #expect(try await rig.cache.statistics().entries == 0)
        }
    }
}
