extension ReadyHandshake.Opening {
    /// What a client asked for when it connected: `since=SEQ` says more than `reconnect=true`.
    init(since: Int?, reconnect: Bool) {
        self = since.map { .since($0) } ?? (reconnect ? .reconnected : .fresh)
    }
}
