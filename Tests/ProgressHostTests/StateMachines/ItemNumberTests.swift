import SuiteStorage
import Testing

@testable import ProgressHost

@Suite("Item number")
struct ItemNumberTests {
    @Test(
        "job and place come back, and jobs do not overlap",
        arguments: [(1, 0), (1, 9_999), (77, 1_048_575), (1 << 40, 3)])
    func roundTrip(job: Int64, index: Int) {
        let item = ItemNumber(job: job, index: index)
        #expect(item.job == job)
        #expect(item.index == index)
        #expect(ItemNumber.range(ofJob: job).contains(item.rawValue))
        #expect(!ItemNumber.range(ofJob: job + 1).contains(item.rawValue))
        #expect(ItemNumber.range(ofJob: job).upperBound + 1 == ItemNumber.range(ofJob: job + 1).lowerBound)
    }

    @Test("a place that a job does not have is no item", arguments: [-1, 10, 1 << 20, Int.max, Int.min])
    func outside(index: Int) {
        #expect(ItemNumber(job: 1, index: index, total: 10) == nil)
    }
}
