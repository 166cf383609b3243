import Testing

@testable import ProgressHost

@Suite("When the log is moved into the database")
struct CheckpointPlanTests {
    private var plan = CheckpointPlan()

    @Test("a checkpoint begins when it is worth it, one at a time")
    mutating func worthwhile() {
        #expect(plan.committed(logPages: 299) == .nothing)
        #expect(plan.committed(logPages: 300) == .begin)
        #expect(plan.committed(logPages: 5_000) == .nothing)
        plan.ended(finishedPages: 1_000)
        #expect(plan.committed(logPages: 1_299) == .nothing)
        #expect(plan.committed(logPages: 1_300) == .begin)
    }

    @Test("a log that began anew counts from its begin, and a failed checkpoint is tried again")
    mutating func anew() {
        #expect(plan.committed(logPages: 3_000) == .begin)
        plan.ended(finishedPages: 3_000)
        #expect(plan.committed(logPages: 10) == .nothing)
        #expect(plan.committed(logPages: 300) == .begin)
        plan.ended(finishedPages: nil)
        #expect(plan.committed(logPages: 301) == .begin)
    }

    @Test("the writer finishes a long log when little is left of it, which a checkpoint beside it sees to")
    mutating func long() {
        #expect(plan.committed(logPages: 16_000) == .begin)
        plan.ended(finishedPages: 16_000)
        #expect(plan.committed(logPages: 16_384) == .begin)
        #expect(plan.committed(logPages: 16_500) == .nothing)
        plan.ended(finishedPages: 16_450)
        #expect(plan.committed(logPages: 16_520) == .help)
    }

    @Test("a log that no checkpoint keeps up with is finished by the writer, whatever is left")
    mutating func longest() {
        #expect(plan.committed(logPages: 65_535) == .begin)
        #expect(plan.committed(logPages: 65_536) == .help)
    }
}
