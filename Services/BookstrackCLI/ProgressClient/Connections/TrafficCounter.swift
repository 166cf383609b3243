import NIOConcurrencyHelpers

/// Counts the bytes of connections, as TCP carries them, and the requests made.
package final class TrafficCounter: Sendable {
    package struct Totals: Sendable, Equatable {
        package var sentBytes = 0
        package var receivedBytes = 0
        /// HTTP requests, upgrades included.
        package var requests = 0
    }

    private let box = NIOLockedValueBox(Totals())

    package init() {}

    package var totals: Totals { box.withLockedValue { $0 } }

    func add(sent: Int = 0, received: Int = 0, requests: Int = 0) {
        box.withLockedValue {
            $0.sentBytes += sent
            $0.receivedBytes += received
            $0.requests += requests
        }
    }
}
