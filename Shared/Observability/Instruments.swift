import Synchronization

/// A metric that can be read at any time from any thread.
package protocol Instrument: AnyObject, Sendable {
    /// The current value.
    var reading: Reading { get }
}

/// A number that only increases. Each addition is one atomic operation.
package final class Counter: Instrument {
    private let total = Atomic<UInt64>(0)

    package init() {}

    package func add(_ count: Int = 1) {
        guard count > 0 else { return }
        total.wrappingAdd(UInt64(count), ordering: .relaxed)
    }

    /// The count since the process started.
    package var value: UInt64 { total.load(ordering: .relaxed) }

    package var reading: Reading { .number(Double(value)) }
}

/// A number that goes up and down. Each change is one atomic operation.
package final class Gauge: Instrument {
    private let current = Atomic<Int>(0)

    package init() {}

    package func set(_ value: Int) { current.store(value, ordering: .relaxed) }

    /// Adds `change`, which may be negative.
    package func add(_ change: Int = 1) { current.wrappingAdd(change, ordering: .relaxed) }

    package func subtract(_ change: Int = 1) { current.wrappingSubtract(change, ordering: .relaxed) }

    package var value: Int { current.load(ordering: .relaxed) }

    package var reading: Reading { .number(Double(value)) }
}
