import BookstrackContract

/// The books of a scan, each counted once: of several spines with the same identity, the one with the highest confidence counts (scans.md "Books").
struct ScanTally: Equatable {
    /// The properties of a spine that determine which spine is kept.
    struct Spine: Equatable {
        /// The item's number.
        var item: Int64
        var confidence: Double
        /// The identity of the book, which is the same in every photo. It is derived from the match or, before the lookup and
        /// without a match, from the spine's text. A spine without an identity is always kept.
        var identity: String?
        /// Whether the match is verified (scans.md "Books").
        var isVerified = false
        /// Whether the book was found at a provider.
        var isFound = false
    }

    /// The item numbers of the kept spines.
    private(set) var kept: Set<Int64> = []
    /// Number of kept books that need no review.
    private(set) var approved = 0
    /// Number of kept books that were found at a provider.
    private(set) var enriched = 0

    /// - Parameter spines: The spines in item order. If nothing else decides, the earlier spine is kept.
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
