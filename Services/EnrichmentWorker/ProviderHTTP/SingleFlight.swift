internal import NIOConcurrencyHelpers

/// Makes identical calls once: those who ask while one is under way wait for its result.
///
/// A call joins a flight only on terms that serve it (``CallTerms/serves(_:)``), so that a person never waits in a bulk job's place;
/// otherwise it starts a flight of its own, which later calls prefer. A caller that is cancelled leaves alone; when the last one
/// leaves, the flight is cancelled.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How a call ended.
    package enum Landing: Sendable {
        /// The flight's result, with the terms of the flight when another call had started it.
        case landed(Value, joined: CallTerms?)
        /// The caller was cancelled.
        case left
    }

    private struct Flight: Sendable {
        let key: Key
        let terms: CallTerms
        let task: Task<Void, Never>
        var passengers: [UInt64: CheckedContinuation<Landing, Never>]
    }

    private struct State: Sendable {
        var nextID: UInt64 = 0
        /// By the number of the passenger who started it.
        var flights: [UInt64: Flight] = [:]
        /// The flight that newcomers look at first.
        var latest: [Key: UInt64] = [:]
        /// Passenger to flight.
        var seats: [UInt64: UInt64] = [:]
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// Flights under way.
    package var count: Int { state.withLockedValue { $0.flights.count } }

    /// Callers that wait for a flight.
    package var passengers: Int { state.withLockedValue { $0.seats.count } }

    /// Joins the flight for `key`, or starts it.
    /// - Parameter operation: makes the call; its task is cancelled when no caller waits for it any more.
    package func run(
        _ key: Key, terms: CallTerms, operation: @escaping @Sendable () async -> Value
    ) async -> Landing {
        let passenger = state.withLockedValue { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { seat in
                board(passenger, key: key, terms: terms, seat: seat, operation: operation)
                // The handler may have run before the passenger had a seat.
                if Task.isCancelled { leave(passenger) }
            }
        } onCancel: {
            leave(passenger)
        }
    }

    private func board(
        _ passenger: UInt64, key: Key, terms: CallTerms, seat: CheckedContinuation<Landing, Never>,
        operation: @escaping @Sendable () async -> Value
    ) {
        state.withLockedValue { state in
            if let number = state.latest[key], state.flights[number]?.terms.serves(terms) == true {
                state.flights[number]?.passengers[passenger] = seat
                state.seats[passenger] = number
                return
            }
            let task = Task {
                let value = await operation()
                self.land(passenger, value)
            }
            state.flights[passenger] = Flight(key: key, terms: terms, task: task, passengers: [passenger: seat])
            state.latest[key] = passenger
            state.seats[passenger] = passenger
        }
    }

    private func land(_ number: UInt64, _ value: Value) {
        let landed = state.withLockedValue { state in
            let flight = Self.close(number, in: &state)
            for passenger in flight?.passengers.keys ?? [:].keys { state.seats[passenger] = nil }
            return flight
        }
        guard let landed else { return }
        for (passenger, seat) in landed.passengers {
            seat.resume(returning: .landed(value, joined: passenger == number ? nil : landed.terms))
        }
    }

    private func leave(_ passenger: UInt64) {
        let (seat, task) = state.withLockedValue { state in
            guard let number = state.seats.removeValue(forKey: passenger),
                let seat = state.flights[number]?.passengers.removeValue(forKey: passenger)
            else { return (CheckedContinuation<Landing, Never>?.none, Task<Void, Never>?.none) }
            let isEmpty = state.flights[number]?.passengers.isEmpty == true
            return (seat, isEmpty ? Self.close(number, in: &state)?.task : nil)
        }
        task?.cancel()
        seat?.resume(returning: .left)
    }

    private static func close(_ number: UInt64, in state: inout State) -> Flight? {
        guard let flight = state.flights.removeValue(forKey: number) else { return nil }
        if state.latest[flight.key] == number { state.latest[flight.key] = nil }
        return flight
    }
}

/// How urgent a call is.
package struct CallTerms: Hashable, Sendable {
    /// Its place among those who wait for the provider.
    package var priority: CallPriority
    /// When its answer is of no use any more.
    package var deadline: MonotonicInstant
    /// Whose share of a daily budget it counts against; nil where shares do not count.
    package var client: String?

    package init(priority: CallPriority, deadline: MonotonicInstant, client: String? = nil) {
        self.priority = priority
        self.deadline = deadline
        self.client = client
    }

    /// Whether a call on these terms serves one on `other`: it is as urgent, over before the other's deadline, and not
    /// refused for another client's use.
    package func serves(_ other: CallTerms) -> Bool {
        priority >= other.priority && deadline <= other.deadline && (client == nil || client == other.client)
    }
}
