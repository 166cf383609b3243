import BookstrackContract
import JSONRPC
import SuiteMethods
import SuiteStorage
import Testing
@testable import ProgressHost

@Suite("Draft table")
struct DraftTableTests {
    private let owner = PeerID()
    private let books = [BookQuery(title: "Dune"), BookQuery(title: "Emma")]

    private func draft(_ count: Int, until: Duration = .seconds(60)) -> DraftTable.Draft {
        DraftTable.Draft(
            owner: owner, jobId: TestHost.jobID, pipeline: .batchEnrichment, digest: "d", totalCount: count,
            origin: JobOrigin(), until: until)
    }

    @Test("pages are appended in order, and a complete draft can be taken only once")
    func pages() throws {
        var table = DraftTable(limit: 2, itemLimit: 10)
        let number = try table.add(draft(4), now: .zero)
        try table.append(books, to: number, owner: owner, until: .seconds(60))
        try table.append(books.reversed(), to: number, owner: owner, until: .seconds(60))
        #expect(try table.take(number, owner: owner).items.map(\.title) == ["Dune", "Emma", "Emma", "Dune"])
        #expect(throws: HostFailure.noDraft) { try table.take(number, owner: owner) }
    }

    @Test("a draft with more or fewer items than announced is refused and dropped")
    func wrongCount() throws {
        var table = DraftTable(limit: 2, itemLimit: 10)
        let small = try table.add(draft(1), now: .zero)
        #expect(throws: HostFailure.invalidRequest("more items than announced")) {
            try table.append(books, to: small, owner: owner, until: .zero)
        }
        let large = try table.add(draft(3), now: .zero)
        try table.append(books, to: large, owner: owner, until: .seconds(60))
        #expect(throws: HostFailure.invalidRequest("2 of 3 items arrived")) { try table.take(large, owner: owner) }
        #expect(table.count == 0)
    }

    @Test("a draft belongs to its connection and is removed with it")
    func ownership() throws {
        var table = DraftTable(limit: 2, itemLimit: 10)
        let number = try table.add(draft(2), now: .zero)
        #expect(throws: HostFailure.noDraft) { try table.append(books, to: number, owner: PeerID(), until: .zero) }
        #expect(throws: HostFailure.noDraft) { try table.take(number, owner: PeerID()) }
        table.removeAll(owner: owner)
        #expect(table.count == 0)
    }

    @Test("drafts and their items are limited, and an abandoned draft is dropped to make room")
    func bounds() throws {
        var table = DraftTable(limit: 2, itemLimit: 10)
        _ = try table.add(draft(5), now: .zero)
        #expect(throws: HostFailure.tooManyDrafts) { try table.add(draft(6), now: .zero) }
        _ = try table.add(draft(5, until: .seconds(90)), now: .zero)
        #expect(throws: HostFailure.tooManyDrafts) { try table.add(draft(1), now: .seconds(59)) }
        _ = try table.add(draft(5), now: .seconds(60))
        #expect(table.count == 2)
    }
}

@Suite("Item numbers")
struct ItemNumberTests {
    @Test(
        "an item number converts back to its job and index, and different jobs' numbers do not overlap",
        arguments: [(1, 0), (1, 9_999), (77, 1_048_575), (1 << 40, 3)])
    func roundTrip(job: Int64, index: Int) {
        let item = ItemNumber(job: job, index: index)
        #expect(item.job == job)
        #expect(item.index == index)
        #expect(ItemNumber.range(ofJob: job).contains(item.rawValue))
        #expect(!ItemNumber.range(ofJob: job + 1).contains(item.rawValue))
        #expect(ItemNumber.range(ofJob: job).upperBound + 1 == ItemNumber.range(ofJob: job + 1).lowerBound)
    }

    @Test("an index outside the job has no item number", arguments: [-1, 10, 1 << 20, Int.max, Int.min])
    func outside(index: Int) {
        #expect(ItemNumber(job: 1, index: index, total: 10) == nil)
    }
}
