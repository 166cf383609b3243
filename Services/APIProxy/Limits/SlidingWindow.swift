/// Counts the requests of the last period: each one counts for one period from its arrival. The window takes 24 bytes, plus 8 for each
/// remembered time.
///
/// No interval of one period contains more requests than the limit. With a fixed window, two weighted windows or a token bucket of the limit's size,
/// up to twice as many requests could pass within one period. If the limit is above ``exactTimes``, requests that arrive within 1/``exactTimes`` of
/// the period share the time of the last of them, so memory stays bounded.
struct SlidingWindow: Sendable {
    /// Maximum number of times in the window; rounding may exceed it by one percent.
    static let exactTimes = 1_024

    /// Requests that share a time.
    private struct Run {
        /// The clock's milliseconds, modulo 2³²; a run is dropped long before that wraps around.
        var time: UInt32
        var count: UInt32
    }

    /// The runs in ascending order of time; those before `first` have left the window.
    private var runs: [Run] = []
    private var first: Int32 = 0
    private var counted: Int32 = 0
    /// The time, in milliseconds, to which the window was last advanced.
    private var now: Int64 = 0

    /// Number of requests in the window; call `advance` first.
    var total: Int { Int(counted) }

    /// Bytes taken by the times.
    var bytes: Int { runs.capacity * MemoryLayout<Run>.stride }

    /// Drops requests that have left the window. A time before the current one is ignored.
    mutating func advance(to milliseconds: Int64, _ period: RateLimit.Period) {
        guard milliseconds > now else { return }
        let isStale = milliseconds - now >= period.milliseconds
        now = milliseconds
        if isStale { return forgetAll() }
        while first < runs.count, age(of: runs[Int(first)]) >= period.milliseconds {
            counted -= Int32(runs[Int(first)].count)
            first += 1
        }
        if first == runs.count {
            forgetAll()
        } else if first > 16, first > runs.count / 2 {
            runs.removeFirst(Int(first))
            first = 0
        }
    }

    private mutating func forgetAll() {
        if !runs.isEmpty { runs = [] }
        first = 0
        counted = 0
    }

    /// Counts one request that was admitted under `limit`.
    mutating func add(_ limit: RateLimit) {
        counted += 1
        let time = UInt32(truncatingIfNeeded: now)
        let newest = runs.count - 1
        let part = UInt32(limit.requests <= Self.exactTimes ? 1 : limit.period.milliseconds / Int64(Self.exactTimes))
        if newest >= first, runs[newest].time / part == time / part {
            runs[newest].time = time
            runs[newest].count += 1
        } else {
            runs.append(Run(time: time, count: 1))
        }
    }

    /// Removes the newest request from the window; does nothing if there is none.
    mutating func removeNewest() {
        guard counted > 0, let newest = runs.indices.last else { return }
        counted -= 1
        runs[newest].count -= 1
        if runs[newest].count == 0 { runs.removeLast() }
    }

    /// When the oldest counted request leaves the window, in the clock's milliseconds; nil for an empty window.
    func nextRoom(_ period: RateLimit.Period) -> Int64? {
        first < runs.count ? now - age(of: runs[Int(first)]) + period.milliseconds : nil
    }

    private func age(of run: Run) -> Int64 { Int64(UInt32(truncatingIfNeeded: now) &- run.time) }
}
