import BookMetadata
import BookstrackContract
import SuiteMethods
import Testing

@testable import EnrichmentWorker

@Suite("Authors in jobs", .timeLimit(.minutes(1)))
struct AuthorTests {
    private static let dune = "9780441172719"

    @Test("a first lookup does not wait for facts about the authors; follow-ups add them")
    func followUps() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn(Self.dune)]))
            let first = try await rig.onlyDelivery()
            #expect(first.outcome.followUp == .soon)
            #expect(first.row.enriched?.authors.first?.gender == .unknown)
            #expect(rig.providers.log.allSatisfy { $0.provider != "wikidata" && !$0.path.contains("authors.json") })
            var last = first
            for round in 1...3 where last.outcome.followUp == .soon {
                rig.host.hand(try items([.isbn(Self.dune)], as: .followUp))
                last = try #require(await rig.host.delivered(1 + round).last)
            }
            let author = try #require(last.row.enriched?.authors.first)
            #expect(author.gender == .male)
            #expect(author.culturalRegion == .northAmerica)
            #expect(author.birthYear == 1920)
            #expect(author.bookCount == 1)
            #expect(last.outcome.followUp == .none)
        }
    }

    @Test("a Wikidata item that is too large to read affects only its own author")
    func overLimit() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"provider":"wikidata","path":"Q42","kind":"huge","megabytes":9}]"#)
            let answers = await rig.askWikidata(["Douglas Adams", "Frank Herbert", "Ursula K. Le Guin", "Jane Austen"])
            func years(_ name: String) -> Int? {
                (try? answers[.author(AuthorQuery(name: name))]?.get())?.background?.birthYear
            }
            #expect(years("Frank Herbert") == 1920)
            #expect(years("Ursula K. Le Guin") == 1929)
            #expect(years("Jane Austen") == 1775)
            #expect(years("Douglas Adams") == nil)
        }
    }

    @Test("if Wikidata refuses requests with several items, the items are requested one by one")
    func fewerValues() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"provider":"wikidata","path":"%7CQ","kind":"tooManyValues"}]"#)
            let names = ["Douglas Adams", "Frank Herbert", "Jane Austen"]
            let answers = await rig.askWikidata(names)
            for name in names {
                let answer = try answers[.author(AuthorQuery(name: name))]?.get()
                #expect(answer?.background?.birthYear != nil, "\(name)")
            }
        }
    }

    @Test(
        "a name is looked up in reading order, even if it is given with the family name first",
        arguments: ["Adams, Douglas", "Douglas Adams"])
    func inverted(name: String) async throws {
        try await WorkerRig.run { rig in
            let answer = try await rig.ask(.author(AuthorQuery(name: name)))
            #expect(answer.background?.birthYear == 1952)
        }
    }

    @Test("an author whose works cannot be counted does not keep causing follow-ups")
    func uncounted() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(
                #"[{"provider":"openlibrary","path":"/search/authors.json","kind":"status","code":400}]"#)
            var last = FollowUpRequest.soon
            for round in 1...4 where last == .soon {
                rig.host.hand(try items([.isbn(Self.dune)], as: .followUp))
                let delivery = try #require(await rig.host.delivered(round).last)
                last = delivery.outcome.followUp
                if last == .none {
                    let author = delivery.row.enriched?.authors.first
                    #expect(author?.birthYear == 1920)
                    #expect(author?.bookCount == nil)
                }
            }
            #expect(last == .none)
        }
    }

    @Test("cached facts about authors are included in a first lookup's result")
    func known() async throws {
        try await WorkerRig.run { rig in
            for round in 0..<4 {
                rig.host.hand(try items([.isbn(Self.dune)], as: .followUp))
                _ = await rig.host.delivered(1 + round)
            }
            rig.host.hand(try items([.isbn(Self.dune)], of: "job-two-2", as: .interactive))
            let row = try #require(await rig.host.delivered(5).last?.row)
            #expect(row.enriched?.authors.first?.nationality == "United States")
        }
    }

    @Test("while Wikidata fails, a book is still found, and its authors are looked up in a later round")
    func failing() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"provider":"wikidata","kind":"status","code":400}]"#)
            var followUps: [FollowUpRequest] = []
            for round in 0..<3 {
                rig.host.hand(try items([.isbn(Self.dune)], as: .followUp))
                let delivery = try #require(await rig.host.delivered(1 + round).last)
                #expect(delivery.row.success)
                followUps.append(delivery.outcome.followUp)
            }
            #expect(followUps == [.soon, .later, .later])
        }
    }
}
