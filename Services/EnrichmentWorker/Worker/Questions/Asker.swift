import SuiteMethods

/// The item or search on whose behalf a question is asked.
struct Asker: Sendable {
    let party: CallParty
    let workClass: WorkClass
    /// Whether a request is sent for this question alone: because a person waits, or because a call that many items share failed
    /// this item before.
    let isAlone: Bool
    /// What the cache knew when the item was claimed.
    let cached: CachedAnswers
}
