import JSONRPC

/// A worker introduces itself, first thing on each connection. Answered by progress-host.
///
/// `held` are items from an earlier connection that the worker is still on or whose outcome it has not delivered: their
/// leases move to this connection, as far as nobody else holds them.
package enum AttachWorker: RPCMethod {
    package static let name = "work.attach"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// What the worker still has.
        package var held: [ItemKey]

        package init(held: [ItemKey]) { self.held = held }
    }

    package struct Result: Codable, Sendable {
        /// Of `held`, those that are no longer wanted: done, cancelled, gone, or held by somebody else.
        package var unwanted: [ItemKey]

        package init(unwanted: [ItemKey]) { self.unwanted = unwanted }
    }
}
