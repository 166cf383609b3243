import Testing

@testable import APIProxy

@Suite("What a stop does to a connection") struct StopDecisionTests {
    @Test("whoever is owed an answer gets it", arguments: [false, true])
    func owed(_ hasBytes: Bool) {
        #expect(StopDecision(answersOwed: 1, wasUsed: true, hasBytes: hasBytes) == .answer)
    }

    @Test("a first request is waited for, arrived or not", arguments: [false, true])
    func fresh(_ hasBytes: Bool) {
        #expect(StopDecision(answersOwed: 0, wasUsed: false, hasBytes: hasBytes) == .awaitRequest)
    }

    @Test("an idle connection is closed unless its next request is there")
    func idle() {
        #expect(StopDecision(answersOwed: 0, wasUsed: true, hasBytes: false) == .close)
        #expect(StopDecision(answersOwed: 0, wasUsed: true, hasBytes: true) == .awaitRequest)
    }
}
