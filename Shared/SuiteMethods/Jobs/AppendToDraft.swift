package import BookstrackContract
package import JSONRPC

/// Adds a page of items to a draft. Pages are appended in the order in which they arrive.
package enum AppendToDraft: RPCMethod {
    package typealias Result = Nothing
    package static let name = "jobs.draftItems"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The draft.
        package var draftId: Int
        /// The next items.
        package var items: [BookQuery]

        package init(draftId: Int, items: [BookQuery]) {
            self.draftId = draftId
            self.items = items
        }
    }
}
