import BookstrackContract
import SuiteMethods
import Testing

@testable import EnrichmentWorker

@Suite("The worker's leased items")
struct LeasedItemsTests {
    private let leased = LeasedItems()

    @Test("a claim requests as many items as there are free slots, and no claim is made if there are too few")
    func room() throws {
        let policy = WorkerPolicy()
        #expect(leased.claim(.firstLookups, within: policy)?.limit == 500)
        #expect(leased.claim(.firstLookups, within: policy)?.perJob == 250)
        let taken = leased.take(try items([BookQuery](repeating: .isbn("1"), count: 480)))
        #expect(leased.claim(.firstLookups, within: policy) == nil)
        leased.remove(taken.prefix(5).map(\.id))
        #expect(leased.claim(.firstLookups, within: policy)?.limit == 25)
    }

    @Test("interactive items have slots of their own, which stay free when bulk items fill the others")
    func reserve() throws {
        let policy = WorkerPolicy()
        _ = leased.take(try items([BookQuery](repeating: .isbn("1"), count: 500)))
        #expect(leased.claim(.firstLookups, within: policy) == nil)
        let claim = try #require(leased.claim(.interactive, within: policy))
        #expect(claim.limit == 50)
        #expect(claim.scope == .interactive)
        _ = leased.take(try items([BookQuery](repeating: .isbn("1"), count: 50), of: "job-two-2", as: .interactive))
        #expect(leased.claim(.interactive, within: policy) == nil)
    }

    @Test("leased follow-ups and background retries leave all slots for first lookups free")
    func followUps() throws {
        let policy = WorkerPolicy()
        _ = leased.take(try items([BookQuery](repeating: .isbn("1"), count: 200), as: .followUp))
        #expect(leased.claim(.later, within: policy)?.limit == 50)
        _ = leased.take(try items([BookQuery](repeating: .isbn("1"), count: 50), of: "job-two-2", as: .backgroundRetry))
        #expect(leased.claim(.later, within: policy) == nil)
        let claim = try #require(leased.claim(.firstLookups, within: policy))
        #expect(claim.limit == 500)
        #expect(claim.perJob == 250)
    }

    @Test("first lookups that fill their slots leave the slots for follow-ups free")
    func firstLookups() throws {
        let policy = WorkerPolicy()
        _ = leased.take(try items([BookQuery](repeating: .isbn("1"), count: 500)))
        #expect(leased.claim(.firstLookups, within: policy) == nil)
        #expect(leased.claim(.later, within: policy)?.limit == 250)
    }

    @Test("an item that is leased again during its lookup is not looked up twice")
    func sameItem() throws {
        let claimed = try items([.isbn("1")])
        let first = try #require(leased.take(claimed).first)
        #expect(leased.take(claimed).isEmpty)
        #expect(leased.contains(first.id))
        #expect(leased.keys == claimed.map(\.key))
    }

    @Test(
        "a retry or follow-up that arrives before the item's first outcome is confirmed is accepted and stays leased",
        arguments: [WorkClass.bulk, .followUp])
    func again(as workClass: WorkClass) throws {
        let first = try #require(leased.take(items([.isbn("1")])).first)
        #expect(leased.finish(first.id))
        let later = try #require(leased.take(items([.isbn("1")], as: workClass, attempts: 1)).first)
        leased.remove([first.id])
        #expect(leased.contains(later.id))
        #expect(leased.keys == [later.key])
    }

    @Test("the outcome of a dropped item is discarded, and its lookup is cancelled")
    func dropped() async throws {
        let item = try #require(leased.take(items([.isbn("1")])).first)
        let (isCancelled, told) = AsyncStream.makeStream(of: Bool.self)
        leased.start(item) {
            try? await Task.sleep(for: .seconds(3_600))
            told.yield(Task.isCancelled)
        }
        leased.drop(jobs: [item.key.jobId])
        #expect(await isCancelled.first { $0 } == true)
        #expect(!leased.finish(item.id))
        #expect(leased.keys.isEmpty)
    }
}
