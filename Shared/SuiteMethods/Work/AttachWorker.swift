import JSONRPC

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
        /// Of `held`, those that are no longer wanted: done, cancelled, gone, or held by another worker.
        package var unwanted: [ItemKey]

        package init(unwanted: [ItemKey]) { self.unwanted = unwanted }
    }
}
