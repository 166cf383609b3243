import Logging

extension JobEngine {
    /// Jobs that are removed in one turn.
    private static let jobsPerSweep = 20
    /// Pages that are given back in one turn: 4 MiB.
    private static let pagesPerSweep = 1_024
    private static let longestInterval = Duration.seconds(30)
    private static let shortestInterval = Duration.milliseconds(500)
    /// A backlog goes in small steps, so that no command waits behind it.
    private static let backlogInterval = Duration.milliseconds(100)

    /// Tokens of live sockets move on; jobs whose results have lived long enough go, with everything that belongs to them. Also
    /// notices what a stepped wall clock has made due.
    func keepHouse(_ turn: Turn) throws {
        lookForEndingTokens(turn.now)
        try checkDeadlines(turn)
        try queueDueJobs(turn)
        let isBacklog = try sweep(turn)
        timers.set(.housekeeping, at: turn.now.uptime + (isBacklog ? Self.backlogInterval : interval))
    }

    /// Often enough that a live socket's token is looked at within its refresh window.
    private var interval: Duration {
        min(Self.longestInterval, max(Self.shortestInterval, policy.tokens.refreshWindow / 2))
    }

    /// Removes some of what is to go; says whether there is more.
    private func sweep(_ turn: Turn) throws -> Bool {
        let expired = try turn.sweep.expiredJobs(at: turn.now.settled, limit: Self.jobsPerSweep)
        for number in expired { try turn.sweep.remove(number) }
        if !expired.isEmpty { logger.info("expired jobs removed", metadata: ["count": "\(expired.count)"]) }
        let moreRows = try turn.sweep.deleteRows(limit: policy.rowsPerSweep)
        let morePages = try turn.sweep.giveSpaceBack(pages: Self.pagesPerSweep)
        return moreRows || morePages || expired.count == Self.jobsPerSweep
    }
}
