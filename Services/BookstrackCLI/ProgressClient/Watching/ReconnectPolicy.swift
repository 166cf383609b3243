/// When to connect again: after 1, 2, 4, 8, 16, then always 30 s, each with up to a quarter more (websocket.md "Connection lifetime").
package struct ReconnectPolicy: Sendable {
    /// Tries in a row after which a watcher gives up.
    private let limit: Int
    private var tries = 0

    package init(limit: Int = 12) { self.limit = limit }

    /// The wait before the next try, `atLeast` when the server has said so; nil when it is time to give up.
    package mutating func next(
        atLeast floor: Duration = .zero, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        guard tries < limit else { return nil }
        let base = tries < 5 ? Duration.seconds(1 << tries) : .seconds(30)
        tries += 1
        return max(base, floor) + base * Double.random(in: 0..<0.25, using: &random)
    }

    /// The connection works again.
    package mutating func reset() { tries = 0 }
}
