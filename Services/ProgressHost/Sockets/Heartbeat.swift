/// Watches for a peer's signs of life (websocket.md "Heartbeat").
struct Heartbeat: Sendable, Equatable {
    /// What is due.
    enum Action: Sendable, Equatable {
        case nothing
        case ping
        case drop
    }

    private var lastHeard: Duration
    private var lastPing: Duration?

    init(now: Duration) { lastHeard = now }

    /// The peer sent something.
    mutating func heard(now: Duration) {
        lastHeard = now
        lastPing = nil
    }

    /// What is due now: a ping once per interval of silence, and the drop at the limit.
    ///
    /// When this process itself stood still meanwhile, the peer still gets its ping and the time to answer it.
    mutating func poll(now: Duration, interval: Duration, limit: Duration) -> Action {
        let due = nextPoll(interval: interval, limit: limit)
        guard now >= due else { return .nothing }
        if lastPing != nil, now - lastHeard >= limit, now - due < interval { return .drop }
        lastPing = now
        return .ping
    }

    /// When `poll` has something to do, if nothing is heard until then.
    func nextPoll(interval: Duration, limit: Duration) -> Duration {
        guard let lastPing else { return lastHeard + min(interval, limit) }
        return min(lastPing + interval, max(lastHeard + limit, lastPing + min(interval, limit - interval)))
    }
}
