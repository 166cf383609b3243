import JSONRPC
import Observability
import SuiteMethods

/// A follower of this process over a connection, and what it has been sent.
struct TailFollower: Sendable {
    let connection: RPCConnection
    let filter: TailFilter
    /// What ended before is not shown, in milliseconds since 1970.
    let since: Int64?
    /// The number of the last entry that was looked at.
    private(set) var seen: Int
    /// It begins with the past, of which as much is promised as is there.
    private(set) var beginsWithPast: Bool

    /// Begins where the follower wants to.
    init(_ parameters: SubscribeToTail.Parameters, _ connection: RPCConnection, hub: TailHub) {
        self.connection = connection
        filter = parameters.filter
        since = parameters.replay?.since
        seen = Self.beginning(parameters, hub)
        beginsWithPast = parameters.replay != nil
    }

    /// Notes how far it has come, unless it has subscribed anew meanwhile.
    mutating func advance(from start: Int, to end: Int) {
        guard seen == start else { return }
        seen = end
        beginsWithPast = false
    }

    /// Whether an entry is to be sent.
    func admits(_ entry: TailEntry, using random: inout some RandomNumberGenerator) -> Bool {
        if let since, entry.endedAt < since { return false }
        return filter.admits(entry, using: &random)
    }

    /// The number of the last entry that is not replayed.
    private static func beginning(_ parameters: SubscribeToTail.Parameters, _ hub: TailHub) -> Int {
        guard let replay = parameters.replay else { return hub.newest }
        guard let last = replay.last else { return 0 }
        let kept = hub.entries(after: 0, atMost: .max)
        var wanted = last
        for (place, entry) in kept.entries.enumerated().reversed() {
            guard wanted > 0 else { return kept.first + place }
            if replay.since.map({ entry.endedAt >= $0 }) ?? true, parameters.filter.matches(entry) { wanted -= 1 }
        }
        return wanted == last ? hub.newest : 0
    }
}
