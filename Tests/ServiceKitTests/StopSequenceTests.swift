import Testing

@testable import ServiceKit

@Suite("Signals")
struct StopSequenceTests {
    @Test("the first signal stops gracefully, every further one at once")
    func twoSignals() {
        var sequence = StopSequence()
        let mayRun = sequence.servicesStarted()
        let actions = (0..<3).map { _ in sequence.signalReceived() }
        #expect(mayRun)
        #expect(actions == [.stopGracefully, .abort, .abort])
    }

    @Test("a signal before the services run ends the process, and the services are not started")
    func earlySignal() {
        var sequence = StopSequence()
        let action = sequence.signalReceived()
        let mayRun = sequence.servicesStarted()
        #expect(action == .exit)
        #expect(!mayRun)
    }
}
