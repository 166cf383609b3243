extension JobEngine {
    /// The turn is committed: what it changed stays. Hands out what the outside is to see.
    func keepTurn() -> [Effect] {
        sessions.keepChanges()
        leases.keepChanges()
        readyTokens.keepChanges()
        publishSteps()
        makeCompletions()
        streamBudget = policy.streamBytesPerTurn
        metrics.count(tally)
        metrics.show(self)
        tally.clear()
        return takeEffects()
    }

    /// The turn's transaction failed: sockets and leases are as they were before, jobs are read again by `reload`. What made the turn
    /// happen by itself, its timers and steps, comes again at `retryAt`.
    func undoTurn(timers fired: [EngineTimer], steps: [DurableStep], retryAt: Duration, _ failure: HostFailure) {
        sessions.undoChanges()
        leases.undoChanges()
        readyTokens.undoChanges()
        tally.clear()
        forgetSteps()
        v1Completions.undoTurn()
        streamBudget = policy.streamBytesPerTurn
        for key in sessions.inLine { streams.add(key) }
        if !streams.isEmpty { timers.setAtLatest(.streams, at: retryAt) }
        for timer in fired { timers.setAtLatest(timer, at: retryAt) }
        durableSteps = (steps + durableSteps).filter { !$0.followsFromState }
        for effect in takeEffects() { effect.abandon(failure) }
        for peer in workers.keys { failClaims(of: peer, failure) }
    }

    private func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }
}
