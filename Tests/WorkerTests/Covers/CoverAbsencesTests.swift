import ProviderHTTP
import SuiteMethods
import Testing

@testable import EnrichmentWorker

@Suite("Covers that there are not")
struct CoverAbsencesTests {
    private func name(_ number: Int) throws -> CoverName {
        try CoverAddress("https://images.isbndb.com/\(number).jpg").name(.large)
    }

    @Test("an absence is believed for five minutes, and as many are remembered as are allowed")
    func life() throws {
        let clock = SteppedClock()
        let start = clock.now
        var absences = CoverAbsences(limit: 3)
        absences.insert(try name(1), now: start)
        #expect(try absences.contains(name(1), now: start.advanced(by: .seconds(299))))
        #expect(try !absences.contains(name(1), now: start.advanced(by: .seconds(300))))
        let later = start.advanced(by: .seconds(200))
        for number in 2..<5 { absences.insert(try name(number), now: later) }
        #expect(try !absences.contains(name(1), now: later), "the oldest made room")
        #expect(try absences.contains(name(2), now: later) && absences.contains(name(4), now: later))
        absences.insert(try name(5), now: later)
        #expect(try absences.contains(name(5), now: later) && !absences.contains(name(4), now: later))
    }
}
