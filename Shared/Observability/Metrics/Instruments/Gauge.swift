import Synchronization

/// How many of something there are now. Every change is one atomic operation.
package final class Gauge: Instrument {
    private let current = Atomic<Int>(0)

    package init() {}

    package func set(_ value: Int) { current.store(value, ordering: .relaxed) }

    /// Raises by `change`, or lowers when that is negative.
    package func add(_ change: Int = 1) { current.wrappingAdd(change, ordering: .relaxed) }

    package func subtract(_ change: Int = 1) { current.wrappingSubtract(change, ordering: .relaxed) }

    package var value: Int { current.load(ordering: .relaxed) }

    package var reading: Reading { .number(Double(value)) }
}
