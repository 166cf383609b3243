package import BookstrackContract
import JSONRPC

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
