import Synchronization

/// Counts what happens; it only grows. Counting is one atomic addition.
package final class Counter: Instrument {
    private let total = Atomic<UInt64>(0)

    package init() {}

    package func add(_ count: Int = 1) {
        guard count > 0 else { return }
        total.wrappingAdd(UInt64(count), ordering: .relaxed)
    }

    /// What was counted since the process started.
    package var value: UInt64 { total.load(ordering: .relaxed) }

    package var reading: Reading { .number(Double(value)) }
}
