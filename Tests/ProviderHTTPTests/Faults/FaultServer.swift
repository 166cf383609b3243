import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A server on a loopback port that answers each path as a test says, and remembers what it saw.
final class FaultServer: Sendable {
    /// A request as it arrived.
    struct Arrival: Sendable {
        let path: String
        let head: String
        let connection: Int
        let time: ContinuousClock.Instant
    }

    struct Record: Sendable {
        var arrivals: [Arrival] = []
        var connections = 0
        var open = 0
        fileprivate var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        fileprivate var closeWatchers: [CheckedContinuation<Void, Never>] = []
    }

    /// Says what happens for a path; `earlier` counts the requests for it before.
    typealias Script = @Sendable (_ path: String, _ earlier: Int) -> [FaultStep]

    private let channel: any Channel
    private let record: NIOLockedValueBox<Record>
    let port: Int

    var baseURL: String { "http://127.0.0.1:\(port)" }
    var arrivals: [Arrival] { record.withLockedValue(\.arrivals) }
    var connections: Int { record.withLockedValue(\.connections) }

    init(_ script: @escaping Script) async throws {
        let record = NIOLockedValueBox(Record())
        self.record = record
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelInitializer { channel in
                let number = record.withLockedValue { state in
                    state.connections += 1
                    state.open += 1
                    return state.connections
                }
                channel.closeFuture.whenComplete { _ in Self.closed(record) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        FaultHandler { path, head in
                            Self.arrived(Arrival(path: path, head: head, connection: number, time: .now), in: record)
                        } steps: {
                            script($0, $1)
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    func stop() async throws {
        try await channel.close()
    }

    /// Runs `body` against a server that is stopped afterwards.
    static func with(
        _ script: @escaping Script, _ body: (FaultServer) async throws -> Void
    ) async throws {
        let server = try await FaultServer(script)
        do {
            try await body(server)
        } catch {
            try await server.stop()
            throw error
        }
        try await server.stop()
    }

    /// Returns once `count` requests have arrived.
    func requests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = record.withLockedValue { state in
                if state.arrivals.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Returns once every connection is closed.
    func allClosed() async {
        await withCheckedContinuation { continuation in
            let isThere = record.withLockedValue { state in
                if state.open == 0 { return true }
                state.closeWatchers.append(continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private static func closed(_ record: NIOLockedValueBox<Record>) {
        let watchers = record.withLockedValue { state in
            state.open -= 1
            guard state.open == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.closeWatchers = [] }
            return state.closeWatchers
        }
        for watcher in watchers { watcher.resume() }
    }

    /// - Returns: how many requests for the path came before.
    private static func arrived(_ arrival: Arrival, in record: NIOLockedValueBox<Record>) -> Int {
        let (earlier, watchers) = record.withLockedValue { state in
            let earlier = state.arrivals.count { $0.path == arrival.path }
            state.arrivals.append(arrival)
            let count = state.arrivals.count
            let served = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return (earlier, served)
        }
        for watcher in watchers { watcher.resume() }
        return earlier
    }
}
