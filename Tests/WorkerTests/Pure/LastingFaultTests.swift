import Testing

@testable import EnrichmentWorker

@Suite("A fault that lasts")
struct LastingFaultTests {
    @Test("is told when it begins, when its reason changes, and when it is over")
    func episode() {
        var fault = LastingFault()
        let before = fault.end()
        let noted = ["full", "full", "damaged", "damaged"].map { fault.note($0) }
        let ends = [fault.end(), fault.end()]
        let again = fault.note("damaged")
        #expect(!before && again)
        #expect(noted == [true, false, true, false])
        #expect(ends == [true, false])
    }
}
