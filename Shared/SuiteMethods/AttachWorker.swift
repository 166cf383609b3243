package import BookstrackContract
package import JSONRPC

/// Registers a worker; this is the first call on each connection. Answered by progress-host.
///
/// `held` are items claimed on an earlier connection that the worker is still processing or whose outcome it has not delivered. They are leased to
/// this connection, except those in ``Result/unwanted``.
package enum AttachWorker: RPCMethod {
    package static let name = "work.attach"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Maximum delay between a worker's attempts to reconnect.
    package static let maxReconnectPause = Duration.milliseconds(400)
    /// Time after the start of progress-host, or after its storage begins to work, during which it hands out no items of earlier jobs, so workers
    /// that hold such items can attach first.
    package static let grace = Duration.seconds(1)

    package struct Parameters: Codable, Sendable {
        /// The items that the worker still holds.
        package var held: [ItemKey]

        package init(held: [ItemKey]) { self.held = held }
    }

    package struct Result: Codable, Sendable {
        /// Items of `held` that are no longer needed: done, cancelled, deleted, or held by another worker.
        package var unwanted: [ItemKey]

        package init(unwanted: [ItemKey]) { self.unwanted = unwanted }
    }
}

/// Returns items without an outcome, for example because the worker is stopping.
package enum ReleaseWork: RPCMethod {
    package typealias Result = Nothing
    package static let name = "work.release"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(2)

    package struct Parameters: Codable, Sendable {
        /// The returned items.
        package var items: [ItemKey]

        package init(items: [ItemKey]) { self.items = items }
    }
}

/// Withdraws work whose outcome is no longer needed from this worker, for example because the job has ended or a reading step was lost: the worker
/// stops reading files and calling providers for these jobs within one second (websocket.md "Cancelling"). Sent by progress-host.
package enum WorkWithdrawn: RPCNotification {
    package static let name = "work.withdrawn"

    package struct Parameters: Codable, Sendable {
        /// Jobs whose items, files or photos the worker need no longer process.
        package var jobs: [JobID]

        package init(jobs: [JobID]) { self.jobs = jobs }
    }
}
