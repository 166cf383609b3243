/// Many clients that each watch a job.
package protocol WatcherCrowd: Sendable {
    /// Totals so far.
    var counts: CrowdCounts { get }
    /// Adds a client for each path. If `start` is given, each client calls it whenever it has connected, and reads at most a few messages before
    /// `start` returns.
    func join(_ paths: [String], readingFrom start: (@Sendable () async -> Void)?)
    /// Closes every connection without a handshake.
    func leave() async
}

/// Totals over all clients of a crowd.
package struct CrowdCounts: Sendable {
    /// Connections that are open.
    package var open = 0
    package var pongs = 0
    /// `reconnected` frames.
    package var reconnected = 0
    package var progress = 0
    package var completed = 0
    /// Events, except `reconnected` and keep-alives, whose number does not exceed an earlier event's; counted only on event streams.
    package var misplaced = 0
    /// Ended connections by close code; nil for those with no code.
    package var ends: [UInt16?: Int] = [:]
    /// Failed attempts, by reason.
    package var refusals: [String: Int] = [:]
}

extension WatcherCrowd {
    /// Adds a client for each path; the clients start reading immediately.
    package func join(_ paths: [String]) { join(paths, readingFrom: nil) }

    /// Waits until the counts satisfy `isReached`, and returns how long that took. Throws if it takes too long.
    @discardableResult
    package func wait(
        for what: String, within limit: Duration, _ isReached: (CrowdCounts) -> Bool
    ) async throws -> Duration {
        let begun = ContinuousClock.now
        while !isReached(counts) {
            guard ContinuousClock.now - begun < limit else {
                throw ServiceProcess.Failure(description: "\(what): not reached within \(limit); \(counts)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return ContinuousClock.now - begun
    }
}
