/// How clients share a daily budget: within an hour, each may use as much of it as it leaves.
///
/// Of 1 000 requests a client that is alone gets 500 at once and half of the rest in each hour after; two at a time get 333 each, ten 90 each.
/// Whoever comes next always finds as much as the busiest client of the hour had, and a client alone still uses nearly the whole day's budget.
/// Fixed shares would need the day's number of clients, which is not known in advance.
///
/// In memory only: a restart forgets who used what of the day, not how much was used.
struct ClientShares: Sendable {
    private struct Use: Sendable {
        var count: Int
        let since: MonotonicInstant
    }

    /// Time after which a client's use counts anew.
    private static let window = Duration.seconds(3_600)
    /// Clients that are remembered; beyond, the one that used least is forgotten.
    private static let capacity = 4_096

    private var uses: [String: Use] = [:]

    /// What a client has used within its hour.
    func used(by client: String, now: MonotonicInstant) -> Int { current(client, now)?.count ?? 0 }

    /// How long a client has to wait for its next request when `left` are left of the day; nil when it may go.
    func wait(of client: String, left: Int, now: MonotonicInstant) -> Duration? {
        guard let use = current(client, now), use.count >= left else { return nil }
        return now.duration(to: use.since.advanced(by: Self.window))
    }

    /// Counts a request.
    mutating func take(_ client: String, now: MonotonicInstant) {
        guard let use = current(client, now) else {
            makeRoom(now)
            uses[client] = Use(count: 1, since: now)
            return
        }
        uses[client] = Use(count: use.count + 1, since: use.since)
    }

    /// Takes back a request that was not sent.
    mutating func giveBack(_ client: String) {
        if let use = uses[client], use.count > 0 { uses[client]?.count -= 1 }
    }

    private func current(_ client: String, _ now: MonotonicInstant) -> Use? {
        uses[client].flatMap { $0.since.advanced(by: Self.window) > now ? $0 : nil }
    }

    private mutating func makeRoom(_ now: MonotonicInstant) {
        guard uses.count >= Self.capacity else { return }
        uses = uses.filter { $0.value.since.advanced(by: Self.window) > now }
        guard uses.count >= Self.capacity, let least = uses.min(by: { $0.value.count < $1.value.count }) else { return }
        uses[least.key] = nil
    }
}
