import NIOConcurrencyHelpers
import ProviderHTTP
import Testing

@Suite("Single flight", .timeLimit(.minutes(1)))
struct SingleFlightTests {
    typealias Flights = SingleFlight<String, Int>

    static func terms(_ priority: CallPriority = .bulk, seconds: Int = 10) -> CallTerms {
        CallTerms(priority: priority, deadline: MonotonicInstant(sinceStart: .seconds(seconds)))
    }

    /// An operation that counts its runs and ends when told, or when it is cancelled (with -1).
    final class Gate: Sendable {
        private let clock = HandMovedClock()
        private let runs = NIOLockedValueBox(0)

        var count: Int { runs.withLockedValue { $0 } }

        func run() async -> Int {
            let number = runs.withLockedValue { runs in
                runs += 1
                return runs
            }
            return (try? await clock.sleep(until: clock.after(.seconds(1)))) == nil ? -1 : number
        }

        func entered(_ count: Int = 1) async { await clock.sleepers(count) }
        func open() { clock.advance(by: .seconds(1)) }
    }

    func call(_ flights: Flights, _ gate: Gate, _ terms: CallTerms = terms()) -> Task<(Int, Bool)?, Never> {
        Task {
            switch await flights.run("key", terms: terms, operation: gate.run) {
            case .landed(let value, let joined): (value, joined != nil)
            case .left: nil
            }
        }
    }

    /// Starts a call and returns once it has a seat: no call in the tests below ends before its gate opens.
    func seated(_ flights: Flights, _ gate: Gate, _ terms: CallTerms = terms(), passengers: Int) async -> Task<
        (Int, Bool)?, Never
    > {
        let task = call(flights, gate, terms)
        while flights.passengers < passengers { await Task.yield() }
        return task
    }

    @Test("identical calls in flight are made once")
    func once() async {
        let (flights, gate) = (Flights(), Gate())
        var calls: [Task<(Int, Bool)?, Never>] = []
        for number in 1...20 { calls.append(await seated(flights, gate, passengers: number)) }
        await gate.entered()
        gate.open()
        for (index, call) in calls.enumerated() {
            let landing = await call.value
            #expect(landing?.0 == 1)
            #expect(landing?.1 == (index > 0))
        }
        #expect(gate.count == 1 && flights.count == 0)
    }

    @Test("calls after the landing fly again, and other keys fly apart")
    func again() async {
        let flights = Flights()
        for number in 1...2 {
            let landing = await flights.run("key", terms: Self.terms()) { number }
            guard case .landed(number, joined: nil) = landing else {
                Issue.record("flight \(number) was shared")
                return
            }
        }
    }

    @Test("a cancelled waiter leaves alone, even the one who started")
    func leaves() async {
        let (flights, gate) = (Flights(), Gate())
        let first = await seated(flights, gate, passengers: 1)
        let second = await seated(flights, gate, passengers: 2)
        await gate.entered()
        first.cancel()
        #expect(await first.value == nil)
        gate.open()
        #expect(await second.value?.0 == 1)
    }

    @Test("when the last waiter leaves, the flight is cancelled, and the next call starts anew")
    func lastLeaves() async {
        let (flights, gate) = (Flights(), Gate())
        let first = await seated(flights, gate, passengers: 1)
        await gate.entered()
        first.cancel()
        #expect(await first.value == nil)
        #expect(flights.count == 0)
        let second = await seated(flights, gate, passengers: 1)
        await gate.entered()
        gate.open()
        #expect(await second.value?.0 == 2)
    }

    @Test("an urgent call does not join a bulk one, and later calls join the urgent one")
    func urgency() async {
        let (flights, gate) = (Flights(), Gate())
        let bulk = await seated(flights, gate, passengers: 1)
        await gate.entered(1)
        let urgent = await seated(flights, gate, Self.terms(.interactive, seconds: 5), passengers: 2)
        await gate.entered(2)
        let late = await seated(flights, gate, Self.terms(seconds: 20), passengers: 3)
        gate.open()
        #expect(await bulk.value?.0 == 1)
        #expect(await urgent.value?.0 == 2)
        let landing = await late.value
        #expect(landing?.0 == 2 && landing?.1 == true)
    }

    @Test("a call does not join one that may last beyond its deadline")
    func deadline() {
        #expect(!Self.terms(seconds: 10).serves(Self.terms(seconds: 9)))
        #expect(Self.terms(seconds: 10).serves(Self.terms(seconds: 10)))
        #expect(!Self.terms(.background).serves(Self.terms(.bulk)))
    }
}
