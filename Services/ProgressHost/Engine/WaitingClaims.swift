/// The claims of workers that wait for files, for photos or for webhooks (one instance for each), at most one per worker. They are never stored: they
/// end with the process.
final class WaitingClaims<Outcome: Sendable> {
    private struct Claim {
        /// Whether the worker is still waiting.
        let isAwaited: @Sendable () -> Bool
        let reply: Reply<Outcome>
    }

    private let context: EngineContext
    /// The response to a claim that ends with nothing to do.
    private let nothing: Outcome
    /// The timer that ends a worker's wait.
    private let timer: (PeerID) -> EngineTimer
    private var claims: [PeerID: Claim] = [:]

    init(_ context: EngineContext, nothing: Outcome, timer: @escaping (PeerID) -> EngineTimer) {
        self.context = context
        self.nothing = nothing
        self.timer = timer
    }

    /// The workers that are waiting.
    var peers: some Collection<PeerID> { claims.keys }

    /// Adds a claim, which ends the worker's previous one and waits for at most 30 s.
    func add(
        _ peer: PeerID, waitMilliseconds: Int, _ turn: Turn, isAwaited: @escaping @Sendable () -> Bool,
        reply: @escaping Reply<Outcome>
    ) {
        end(of: peer)
        claims[peer] = Claim(isAwaited: isAwaited, reply: reply)
        context.timers.set(timer(peer), at: turn.now.uptime + .milliseconds(min(max(waitMilliseconds, 0), 30_000)))
    }

    /// Ends the claims of workers that no longer wait.
    func endGivenUp() {
        for (peer, claim) in claims where !claim.isAwaited() { end(of: peer) }
    }

    /// Answers a worker's claim after the commit, with `nothing` unless there is an outcome.
    func end(of peer: PeerID, with outcome: Outcome? = nil) {
        guard let claim = claims.removeValue(forKey: peer) else { return }
        context.timers.cancel(timer(peer))
        let outcome = outcome ?? nothing
        context.afterCommit(
            Effect(commit: { claim.reply(.success(outcome)) }, abandon: { claim.reply(.failure($0)) }))
    }

    /// Fails all claims immediately. Called after a failed transaction.
    func fail(_ failure: HostFailure) {
        for (peer, claim) in claims {
            context.timers.cancel(timer(peer))
            claim.reply(.failure(failure))
        }
        claims = [:]
    }
}
