import Foundation
import NIOConcurrencyHelpers
import ProviderHTTP

/// The machine's clock, which a test puts forward.
final class SteppedClock: ProviderClock {
    private let system = SystemProviderClock()
    private let ahead = NIOLockedValueBox(Duration.zero)

    var now: MonotonicInstant { system.now.advanced(by: ahead.withLockedValue { $0 }) }
    var date: Date { system.date + ahead.withLockedValue { $0 } / .seconds(1) }

    func advance(by duration: Duration) { ahead.withLockedValue { $0 += duration } }

    func sleep(until instant: MonotonicInstant) async throws {
        try await system.sleep(until: MonotonicInstant(sinceStart: instant.sinceStart - ahead.withLockedValue { $0 }))
    }
}
