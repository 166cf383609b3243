import BookstrackContract
import ProviderHTTP
import SuiteMethods

/// The item on whose behalf a question is asked.
struct Asker: Sendable {
    let job: JobID
    let workClass: WorkClass
    /// A call that many items share failed this item before: its question travels alone.
    let isAlone: Bool
    /// What the cache knew when the item was claimed.
    let cached: CachedAnswers
}
