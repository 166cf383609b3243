package import Foundation

/// The machine's clocks. Its instants count from the first use in the process.
package struct SystemProviderClock: ProviderClock {
    private static let start = ContinuousClock.now

    package init() {}

    package var now: MonotonicInstant {
        MonotonicInstant(sinceStart: Self.start.duration(to: .now))
    }

    package var date: Date { Date() }

    package func sleep(until instant: MonotonicInstant) async throws {
        try await ContinuousClock().sleep(until: Self.start.advanced(by: instant.sinceStart))
    }
}
