import BookIdentifiers
import BookMetadata
import BookstrackContract
import Testing
@testable import EnrichmentWorker

@Suite("Turns of clients and their jobs")
struct RoundRobinTests {
    private let jobs: [CallParty]
    private var round = RoundRobin()

    /// Two jobs of one client, and one job of each of two other clients, with two questions each.
    init() throws {
        jobs = try [("job-one-1", "a"), ("job-one-2", "a"), ("job-two-1", "b"), ("job-three-1", "c")].map {
            id, client in
            .job(try #require(JobID(id)), client: client)
        }
        for job in jobs {
            for isbn in EmulatedProviders.isbns(0..<2) { round.append(.edition(try #require(ISBN(isbn))), of: job) }
        }
    }

    private mutating func take(_ limit: Int, without waiting: [CallParty] = []) -> [CallParty] {
        round.take(limit) {
            !waiting.contains($0)
        } isWanted: { _ in
            true
        }.map(\.party)
    }

    @Test("clients take turns, and so do the jobs of a client")
    mutating func turns() {
        #expect(take(5) == [jobs[0], jobs[2], jobs[3], jobs[1], jobs[2]])
    }

    @Test("if a client's next job may not take part in another call, the turn goes to the client's next job that may")
    mutating func otherJob() {
        #expect(take(1, without: [jobs[0]]) == [jobs[1]])
        #expect(take(3) == [jobs[2], jobs[3], jobs[0]])
    }

    @Test("a client none of whose jobs may take part in another call keeps its turn")
    mutating func keptTurn() {
        #expect(take(1, without: [jobs[0], jobs[1]]) == [jobs[2]])
        #expect(take(3) == [jobs[0], jobs[3], jobs[2]])
    }
}
