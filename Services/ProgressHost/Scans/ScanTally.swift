import BookstrackContract

/// The books of a scan, each once: of several spines with the same identity, the surest one counts (scans.md
/// "Results"). A value type without a database.
struct ScanTally: Equatable {
    /// The properties of a spine that decide.
    struct Spine: Equatable {
        /// Number of the item.
        var item: Int64
        var confidence: Double
        /// The identity that the same book has on every photo: from what was read until it is looked up, then from what was found.
        var identity: String?
        /// Whether the match is beyond doubt.
        var isVerified = false
        /// Whether a provider knows the book.
        var isFound = false
    }

    /// Items that are shown.
    private(set) var kept: Set<Int64> = []
    /// Of them, those that need no review.
    private(set) var approved = 0
    /// Of them, those that a provider knows.
    private(set) var enriched = 0

    /// - Parameter spines: In the order of their items; the earlier one counts if nothing else decides.
    init(_ spines: [Spine]) {
        var surest: [String: Spine] = [:]
        var shown: [Spine] = []
        for spine in spines {
            guard let identity = spine.identity else {
                shown.append(spine)
                continue
            }
            if let other = surest[identity], !spine.isSurer(than: other) { continue }
            surest[identity] = spine
        }
        for spine in shown + surest.values {
            kept.insert(spine.item)
            if spine.isFound { enriched += 1 }
            if spine.isVerified, spine.confidence >= ScannedBook.sureConfidence { approved += 1 }
        }
    }
}

extension ScanTally.Spine {
    fileprivate func isSurer(than other: Self) -> Bool {
        confidence == other.confidence ? isVerified && !other.isVerified : confidence > other.confidence
    }
}
