import ProviderHTTP
import SuiteMethods

/// The item or search on whose behalf a question is asked.
struct Asker: Sendable {
    let party: CallParty
    let workClass: WorkClass
    /// A call that many items share failed this item before: its question travels alone.
    let isAlone: Bool
    /// What the cache knew when the item was claimed.
    let cached: CachedAnswers
}
