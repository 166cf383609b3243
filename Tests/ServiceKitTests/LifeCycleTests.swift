import Logging
import Synchronization
import Testing
@testable import ServiceKit

@Suite("Listening sockets")
struct ListenersTests {
    private let readies = Counter()
    private let listeners: Listeners

    init() {
        listeners = Listeners(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) { [readies] in
            readies.add()
        }
    }

    @Test("a process becomes ready once, when all announced sockets are listening")
    func allListen() {
        let socket = listeners.announce("socket")
        let admin = listeners.announce("admin")
        listeners.complete()
        socket.listens(at: "/run/bookstrack/x.sock")
        #expect(readies.count == 0)
        admin.listens(at: "127.0.0.1:9787")
        #expect(readies.count == 1)
        admin.listens(at: "127.0.0.1:9787")
        #expect(readies.count == 1)
    }

    @Test("a listening socket does not make the process ready before all sockets have been announced")
    func earlySocket() {
        listeners.announce("socket").listens(at: "a")
        #expect(readies.count == 0)
        let admin = listeners.announce("admin")
        listeners.complete()
        #expect(readies.count == 0)
        admin.listens(at: "b")
        #expect(readies.count == 1)
    }
}

private final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    func add() { value.add(1, ordering: .relaxed) }
}

@Suite("Signals and requests to stop")
struct StopSequenceTests {
    @Test("the first signal stops the process gracefully, and any further signal ends it immediately")
    func twoSignals() {
        var sequence = StopSequence()
        let mayRun = sequence.servicesStarted()
        let actions = (0..<3).map { _ in sequence.signalReceived() }
        #expect(mayRun)
        #expect(actions == [.stopGracefully, .abort, .abort])
    }

    @Test("while a process stops at its own request, one signal has no effect, and a second one ends it immediately")
    func signalsWhileStopping() {
        var sequence = StopSequence()
        _ = sequence.servicesStarted()
        let stops = sequence.stopRequested()
        let actions = (0..<2).map { _ in sequence.signalReceived() }
        #expect(stops)
        #expect(actions == [.keepStopping, .abort])
    }

    @Test("a process's own request to stop has no effect after a signal")
    func requestWhileStopping() {
        var sequence = StopSequence()
        _ = sequence.servicesStarted()
        _ = sequence.signalReceived()
        let stops = sequence.stopRequested()
        #expect(!stops)
    }

    @Test("a signal that arrives before the services are started ends the process, and the services are not started")
    func earlySignal() {
        var sequence = StopSequence()
        let action = sequence.signalReceived()
        let mayRun = sequence.servicesStarted()
        #expect(action == .exit)
        #expect(!mayRun)
    }
}
