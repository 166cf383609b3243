import JSONRPC
import SuiteStorage
import Testing

@testable import ProgressHost

@Suite("Lease table")
struct LeaseTableTests {
    private let holder = PeerID()

    private func lease(until seconds: Int = 10) -> LeaseTable.Lease {
        LeaseTable.Lease(holder: holder, until: .seconds(seconds), isLater: false)
    }

    @Test("leases are counted per job, each item once")
    func counts() {
        var table = LeaseTable()
        table.add(ItemNumber(job: 1, index: 0), lease())
        table.add(ItemNumber(job: 1, index: 0), lease(until: 20))
        table.add(ItemNumber(job: 1, index: 1), lease())
        table.add(ItemNumber(job: 2, index: 0), lease())
        #expect(table.count(job: 1) == 2)
        #expect(table[ItemNumber(job: 1, index: 0)]?.until == .seconds(20))
        #expect(table.remove(ItemNumber(job: 1, index: 0)) != nil)
        #expect(table.remove(ItemNumber(job: 1, index: 0)) == nil)
        #expect(table.count(job: 1) == 1)
        #expect(table.removeAll { item, _ in item.job == 1 }.count == 1)
        #expect(table.count(job: 1) == 0)
        #expect(!table.isEmpty)
    }

    @Test("a turn that is undone leaves every lease as it was")
    func undo() {
        var table = LeaseTable()
        let kept = ItemNumber(job: 1, index: 0), added = ItemNumber(job: 1, index: 1)
        table.add(kept, lease())
        table.keepChanges()
        table.remove(kept)
        table.add(kept, lease(until: 99))
        table.add(added, lease())
        table.undoChanges()
        #expect(table[kept]?.until == .seconds(10))
        #expect(table[added] == nil)
        #expect(table.count(job: 1) == 1)
        table.undoChanges()
        #expect(table.count(job: 1) == 1)
    }
}
