package import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
package import Observability
package import SuiteMethods

/// Sends the events of a process to its followers (command-line.md "tail").
///
/// Followers read the hub's ring at their own pace. A follower with a full connection is skipped until there is room again; the events it
/// missed are counted and reported. Therefore, a follower costs the process only as much as it reads, and a stuck follower costs next to nothing.
package final class TailFeed: Sendable {
    /// How long to wait after a round with the outcome ``Round/caughtUp``, so that further entries are sent together.
    private static let gathering = Duration.milliseconds(10)
    /// How long to wait after a round with the outcome ``Round/full``.
    private static let fullPause = Duration.milliseconds(50)
    /// A connection with this many unsent bytes counts as full.
    private static let fullAt = 512 << 10
    /// Maximum number of entries per follower before the next follower's turn.
    private static let turn = 256
    /// Maximum size of an event in bytes. Larger events are omitted, because they would take up most of a frame.
    private static let maxEventBytes = 512 << 10
    /// Maximum number of followers.
    private static let maxFollowers = 64

    private struct State {
        var followers: [RPCConnectionID: TailFollower] = [:]
        var isRunning = false

        /// Lowest level requested by a follower; nil if no follower requested one.
        var level: Logger.Level? { followers.values.compactMap(\.filter.level).min() }
    }

    /// The outcome of a round over all followers.
    private enum Round {
        /// All followers are up to date.
        case caughtUp
        /// A follower had a turn, and more entries are waiting for it.
        case underWay
        /// There are entries to send, but the connection of every follower that lacks them is full.
        case full
    }

    private let hub: TailHub
    private let pause: @Sendable (Duration) async -> Void
    private let state = NIOLockedValueBox(State())

    /// - Parameter pause: Waits; replaced in tests.
    package init(
        hub: TailHub, pause: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.hub = hub
        self.pause = pause
    }

    /// Sends events to a connection until it closes or is unsubscribed. Throws `RPCApplicationError` if there are too many followers.
    package func subscribe(_ connection: RPCConnection, _ parameters: SubscribeToTail.Parameters) throws {
        let follower = TailFollower(parameters, connection, hub: hub)
        let outcome = state.withLockedValue { state -> (isNew: Bool, starts: Bool)? in
            let isNew = state.followers[connection.id] == nil
            guard !isNew || state.followers.count < Self.maxFollowers else { return nil }
            state.followers[connection.id] = follower
            hub.follow(level: state.level)
            defer { state.isRunning = true }
            return (isNew, !state.isRunning)
        }
        guard let (isNew, starts) = outcome else {
            throw RPCApplicationError(
                code: "TOO_MANY_FOLLOWERS", message: "there are already \(Self.maxFollowers) followers")
        }
        if isNew { connection.closed.whenComplete { _ in self.forget(connection.id) } }
        // The task serves many followers, so it does not belong to any activity.
        if starts { Activity.$current.withValue(nil) { _ = Task { await self.run() } } }
        hub.wakeFollowers()
    }

    /// Stops sending to a connection.
    func unsubscribe(_ connection: RPCConnection) { forget(connection.id) }

    private func forget(_ id: RPCConnectionID) {
        state.withLockedValue { state in
            state.followers[id] = nil
            hub.follow(level: state.level)
        }
        hub.wakeFollowers()
    }

    /// Sends entries until there are no followers.
    private func run() async {
        while let seen = leastSeen() {
            await hub.more(after: seen)
            switch send() {
            case .caughtUp: await pause(Self.gathering)
            case .underWay: await Task.yield()
            case .full: await pause(Self.fullPause)
            }
        }
    }

    /// The number of the newest entry that every follower has seen; nil, which ends ``run()``, if there are no followers.
    private func leastSeen() -> Int? {
        state.withLockedValue { state in
            let seen = state.followers.values.map(\.seen).min()
            state.isRunning = seen != nil
            return seen
        }
    }

    /// Gives each follower its turn.
    private func send() -> Round {
        var texts = EventTexts()
        var (isFull, hasMore) = (false, false)
        for follower in state.withLockedValue({ Array($0.followers.values) }) where follower.seen < hub.newest {
            guard follower.connection.bufferedBytes < Self.fullAt else {
                isFull = true
                continue
            }
            let seen = send(to: follower, &texts)
            state.withLockedValue { $0.followers[follower.connection.id]?.advance(from: follower.seen, to: seen) }
            if seen < hub.newest { hasMore = true }
        }
        return hasMore ? .underWay : isFull ? .full : .caughtUp
    }

    /// Sends the entries of a turn; returns the number of the last entry that was handled.
    private func send(to follower: TailFollower, _ texts: inout EventTexts) -> Int {
        var random = SystemRandomNumberGenerator()
        let batch = hub.entries(after: follower.seen, atMost: Self.turn)
        var page = TailPage(dropped: follower.beginsWithPast ? 0 : batch.missed)
        for (place, entry) in batch.entries.enumerated() where follower.admits(entry, using: &random) {
            guard let text = texts.text(of: entry, number: batch.first + place, level: follower.filter.level),
                text.readableBytes <= Self.maxEventBytes
            else {
                page.dropped += 1
                continue
            }
            page.append(text)
            guard !page.isFull else {
                follower.connection.notifyRaw(TailEvents.name, page.raw)
                return batch.first + place
            }
        }
        if !page.isEmpty { follower.connection.notifyRaw(TailEvents.name, page.raw) }
        return batch.last
    }
}

/// A follower connected to this process, and its position.
struct TailFollower: Sendable {
    let connection: RPCConnection
    let filter: TailFilter
    /// Events that ended before this time, in milliseconds since 1970, are not shown; nil for no such limit.
    let since: Int64?
    /// The number of the last entry that was checked.
    private(set) var seen: Int
    /// Whether the follower requested past entries and has not had a turn yet. Past entries that no longer exist do not count as missed.
    private(set) var beginsWithPast: Bool

    /// Starts at the requested position.
    init(_ parameters: SubscribeToTail.Parameters, _ connection: RPCConnection, hub: TailHub) {
        self.connection = connection
        filter = parameters.filter
        since = parameters.replay?.since
        seen = Self.beginning(parameters, hub)
        beginsWithPast = parameters.replay != nil
    }

    /// Updates the follower's position, unless it has subscribed again in the meantime.
    mutating func advance(from start: Int, to end: Int) {
        guard seen == start else { return }
        seen = end
        beginsWithPast = false
    }

    /// Whether to send an entry.
    func admits(_ entry: TailEntry, using random: inout some RandomNumberGenerator) -> Bool {
        if let since, entry.endedAt < since { return false }
        return filter.admits(entry, using: &random)
    }

    /// The number of the last entry before the replay.
    private static func beginning(_ parameters: SubscribeToTail.Parameters, _ hub: TailHub) -> Int {
        guard let replay = parameters.replay else { return hub.newest }
        guard let last = replay.last else { return 0 }
        let kept = hub.entries(after: 0, atMost: .max)
        var wanted = last
        for (place, entry) in kept.entries.enumerated().reversed() {
            guard wanted > 0 else { return kept.first + place }
            if replay.since.map({ entry.endedAt >= $0 }) ?? true, parameters.filter.matches(entry) { wanted -= 1 }
        }
        return wanted == last ? kept.last : 0
    }
}

/// Events as JSON, each encoded once for all followers with the same level.
struct EventTexts {
    private struct Key: Hashable {
        var number: Int
        var level: Logger.Level?
    }

    private var texts: [Key: ByteBuffer] = [:]

    /// The event of an entry; nil if it cannot be encoded.
    mutating func text(of entry: TailEntry, number: Int, level: Logger.Level?) -> ByteBuffer? {
        let key = Key(number: number, level: level)
        if let text = texts[key] { return text }
        let text = try? BodyCoding.encode(TailEvent(entry, level: level))
        texts[key] = text
        return text
    }
}
