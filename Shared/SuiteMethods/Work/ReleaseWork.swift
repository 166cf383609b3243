package import JSONRPC

/// Hands items back undone, for example because the worker stops.
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
