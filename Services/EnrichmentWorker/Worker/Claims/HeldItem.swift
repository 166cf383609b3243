import SuiteMethods

/// An item under this worker's lease.
struct HeldItem: Sendable {
    /// Names one claim of an item, so that what a later claim of the same item does is not mistaken for it.
    struct ID: Hashable, Sendable {
        let number: UInt64
    }

    let id: ID
    let item: ClaimedItem
    /// Its outcome waits to be recorded.
    var isFinished = false

    var key: ItemKey { item.key }

    /// Whether it has an outcome from before; such items come after all first look-ups.
    var isLater: Bool { item.workClass >= .followUp }
}
