/// Decides which updates of a job become events (websocket.md "Throttle"), based only on counts and times.
struct ProgressThrottle: Sendable {
    /// What happens to an update.
    enum Decision: Sendable, Equatable {
        case emit
        /// The update is held back, replacing an older one, and is due at `flushAt`.
        case hold(flushAt: Duration)
    }

    private let interval: Duration
    private let total: Int
    private var lastEmission: Duration?
    private var lastEmittedCount = 0
    private(set) var isHolding = false

    /// Creates the throttle for a job with `total` items.
    ///
    /// When a job is read from the database again, watchers may still lack an update that was held back: with `heldSince`, the throttle starts with
    /// an update held back since that time.
    init(interval: Duration, total: Int, processed: Int = 0, heldSince: Duration? = nil) {
        self.interval = interval
        self.total = total
        lastEmittedCount = processed
        lastEmission = heldSince
        isHolding = heldSince != nil
    }

    /// Decides what to do with a new count.
    mutating func update(processed: Int, now: Duration) -> Decision {
        isMilestone(processed) ? emit(processed: processed, now: now) : holdOrEmit(now: now, processed: processed)
    }

    /// Decides what to do with a change that is not a milestone, such as one that affects only the text.
    mutating func holdOrEmit(now: Duration, processed: Int) -> Decision {
        guard let lastEmission, now - lastEmission < interval else { return emit(processed: processed, now: now) }
        isHolding = true
        return .hold(flushAt: lastEmission + interval)
    }

    /// Whether a held-back update is due; it then counts as emitted.
    mutating func flush(processed: Int, now: Duration) -> Bool {
        guard isHolding, let lastEmission, now - lastEmission >= interval else { return false }
        _ = emit(processed: processed, now: now)
        return true
    }

    /// Whether a held-back update must be sent before a terminal frame; it then counts as emitted.
    mutating func drain(processed: Int, now: Duration) -> Bool {
        guard isHolding else { return false }
        _ = emit(processed: processed, now: now)
        return true
    }

    private mutating func emit(processed: Int, now: Duration) -> Decision {
        lastEmission = now
        lastEmittedCount = processed
        isHolding = false
        return .emit
    }

    /// Whether a count is a multiple of 25, or the first one at or past 25, 50, 75 or 100 %.
    private func isMilestone(_ processed: Int) -> Bool {
        if processed % 25 == 0 { return true }
        return quarter(processed) > quarter(lastEmittedCount)
    }

    private func quarter(_ processed: Int) -> Int { total == 0 ? 4 : processed * 4 / total }
}
