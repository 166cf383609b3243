import Testing

@testable import EnrichmentWorker

@Suite("Refused claims")
struct ClaimRefusalsTests {
    @Test("are told when they begin, when their reason changes, and when they are over")
    func episode() {
        var refusals = ClaimRefusals()
        let before = refusals.end()
        let noted = ["full", "full", "damaged", "damaged"].map { refusals.note($0) }
        let ends = [refusals.end(), refusals.end()]
        let again = refusals.note("damaged")
        #expect(!before && again)
        #expect(noted == [true, false, true, false])
        #expect(ends == [true, false])
    }
}
