import BookstrackContract

/// The newest item that got an outcome, as a progress frame names it.
struct LatestItem {
    var title: String
    var found: Bool
    /// The row as the client asked for it.
    var asked: BookQuery?
}
