import NIOCore
import SuiteMethods

/// An item with its outcome, on its way to the host.
struct FinishedItem: Sendable {
    let id: HeldItem.ID
    let outcome: ItemOutcome
    /// The `EnrichedBook` as the results will show it.
    let row: ByteBuffer
}
