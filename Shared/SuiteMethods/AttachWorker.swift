package import BookstrackContract
package import JSONRPC

/// A worker introduces itself, first thing on each connection. Answered by progress-host.
///
/// `held` are items from an earlier connection that the worker is still on or whose outcome it has not delivered: their
/// leases move to this connection, as far as no other worker holds them.
package enum AttachWorker: RPCMethod {
    package static let name = "work.attach"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// A worker without a connection tries at least this often to get one.
    package static let longestReconnectPause = Duration.milliseconds(400)
    /// How long a progress-host that has just started keeps the items of jobs that were open: for the workers that were on them.
    package static let grace = Duration.seconds(1)

    package struct Parameters: Codable, Sendable {
        /// What the worker still has.
        package var held: [ItemKey]

        package init(held: [ItemKey]) { self.held = held }
    }

    package struct Result: Codable, Sendable {
        /// Items of `held` that are no longer wanted: done, cancelled, gone, or held by another worker.
        package var unwanted: [ItemKey]

        package init(unwanted: [ItemKey]) { self.unwanted = unwanted }
    }
}

/// Hands items back without an outcome, for example because the worker stops.
package enum ReleaseWork: RPCMethod {
    package typealias Result = Nothing
    package static let name = "work.release"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(2)

    package struct Parameters: Codable, Sendable {
        /// Those that go back.
        package var items: [ItemKey]

        package init(items: [ItemKey]) { self.items = items }
    }
}

/// The outcome of items is no longer wanted: the worker stops calling providers for these jobs within one second
/// (websocket.md "Cancelling"). From progress-host.
package enum WorkWithdrawn: RPCNotification {
    package static let name = "work.withdrawn"

    package struct Parameters: Codable, Sendable {
        /// Jobs whose items are not wanted.
        package var jobs: [JobID]

        package init(jobs: [JobID]) { self.jobs = jobs }
    }
}
