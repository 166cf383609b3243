import Testing
@testable import EnrichmentWorker

@Suite("A lasting fault")
struct LogOnceTests {
    @Test("a lasting fault is logged when it begins, when its reason changes, and when it ends")
    func episode() {
        var fault = LogOnce()
        let before = fault.end()
        let noted = ["full", "full", "damaged", "damaged"].map { fault.note($0) }
        let ends = [fault.end(), fault.end()]
        let again = fault.note("damaged")
        #expect(!before)
        #expect(again)
        #expect(noted == [true, false, true, false])
        #expect(ends == [true, false])
    }
}
