import BookstrackContract
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOWebSocket
import ProgressClient
import Testing

@Suite("Watching a job")
struct JobWatcherTests {
    let frames = JobFrames(job: .random(), total: 4)

    private func watcher(_ server: ScriptedServer, pauses: NIOLockedValueBox<[Duration]>, tries: Int = 12) async throws
        -> JobWatcher
    {
        JobWatcher(
            address: ServerAddress(host: "127.0.0.1", port: try await server.start()), job: frames.job, token: "T",
            policy: ReconnectPolicy(limit: tries), pause: { length in pauses.withLockedValue { $0.append(length) } })
    }

    private func watch(
        _ server: ScriptedServer, pauses: NIOLockedValueBox<[Duration]> = .init([]), tries: Int = 12
    ) async throws -> (seqs: [Int], ending: JobEnding) {
        var seqs: [Int] = []
        let ending = try await watcher(server, pauses: pauses, tries: tries).watch { update in
            if case .frame(_, let frame) = update { seqs.append(frame.seq) }
        }
        return (seqs, ending)
    }

    @Test("it sends ready, answers pings, and ends with the last frame")
    func straight() async throws {
        let greeting = try [frames.started(seq: 1), frames.ping(seq: 1), frames.progress(seq: 2, found: 1)]
        let end = try [frames.complete(seq: 3, found: 4), .close(1000)]
        let server = ScriptedServer(script: { _, _ in .init(greeting: greeting, replies: [[], end]) })
        let (seqs, ending) = try await watch(server)
        #expect(seqs == [1, 1, 2, 3])
        guard case .completed(let payload) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(payload.successCount == 4)
        #expect(server.messages.prefix(2) == [#"{"type":"ready"}"#, #"{"type":"pong"}"#])
        #expect(server.upgrades.first?.headers.first(name: "Authorization") == "Bearer T")
        #expect(server.upgrades.first?.uri.contains("T") == false)
        await server.stop()
    }

    @Test("it reconnects with the last sequence number")
    func dropped() async throws {
        let first = try [frames.started(seq: 1), frames.progress(seq: 2, found: 1)]
        let second = try [frames.reconnected(seq: 2, found: 1), frames.progress(seq: 3, found: 2), .close(1012)]
        let third = try [frames.reconnected(seq: 3, found: 2), frames.complete(seq: 4, found: 4)]
        let server = ScriptedServer(script: { number, _ in
            switch number {
            case 0: .init(greeting: first, cuts: true)
            case 1: .init(greeting: second)
            default: .init(greeting: third)
            }
        })
        let pauses = NIOLockedValueBox<[Duration]>([])
        let (seqs, _) = try await watch(server, pauses: pauses)
        #expect(seqs == [1, 2, 2, 3, 3, 4])
        #expect(server.upgrades.map(\.since) == [nil, "2", "3"])
        #expect(pauses.withLockedValue { $0 }.allSatisfy { (.seconds(1)..<(.milliseconds(1_250))).contains($0) })
        await server.stop()
    }

    @Test("a cancelled job ends the watch")
    func cancelled() async throws {
        let greeting = try [frames.progress(seq: 5, found: 1, status: "job_cancelled"), .close(1001)]
        let server = ScriptedServer(script: { _, _ in .init(greeting: greeting) })
        guard case .cancelled = try await watch(server).ending else {
            Issue.record("not cancelled")
            return
        }
        await server.stop()
    }

    @Test("a busy server is retried at the requested time, a rejected token never")
    func refusals() async throws {
        let busy = ScriptedServer(react: { _, _ in .answer(503, ["Retry-After": "20"], []) })
        let pauses = NIOLockedValueBox<[Duration]>([])
        let closed = ScriptedServer(script: { _, _ in .init(greeting: [.close(1008, "revoked")]) })
        let refused = ScriptedServer(react: { _, _ in .answer(401, [:], []) })
        await #expect(throws: ClientFailure.self) { try await watch(busy, pauses: pauses, tries: 2) }
        #expect(pauses.withLockedValue { $0 }.allSatisfy { $0 >= .seconds(20) })
        #expect(pauses.withLockedValue { $0 }.count == 2)
        await #expect(throws: ClientFailure.malformed("the server closed the socket with 1008 revoked")) {
            try await watch(closed)
        }
        let failure = await #expect(throws: ClientFailure.self) { try await watch(refused) }
        #expect(failure == .upgradeRefused(HTTPAnswer(status: 401, headers: ["Content-Length": "0"])))
        for server in [busy, closed, refused] { await server.stop() }
    }

    @Test("it fails at once if nothing is listening at the start")
    func nothingThere() async throws {
        let server = ScriptedServer()
        let pauses = NIOLockedValueBox<[Duration]>([])
        let watcher = try await watcher(server, pauses: pauses)
        await server.stop()
        await #expect(throws: ClientFailure.self) { try await watcher.watch { _ in } }
        #expect(pauses.withLockedValue { $0 }.isEmpty)
    }
}

extension HTTPRequestHead {
    fileprivate var since: String? {
        uri.split(separator: "&").first { $0.hasPrefix("since=") }.map { String($0.dropFirst(6)) }
    }
}

@Suite("Delays before reconnecting")
struct ReconnectPolicyTests {
    @Test("after 1, 2, 4, 8, 16, 30, 30 seconds and up to a quarter more, then no more")
    func schedule() {
        var policy = ReconnectPolicy(limit: 7)
        var random = SystemRandomNumberGenerator()
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            let base = Duration.seconds(seconds)
            let delay = policy.next(using: &random)
            #expect(delay.map { (base..<base * 1.25).contains($0) } == true)
        }
        let last = policy.next(using: &random)
        #expect(last == nil)
        policy.reset()
        let afterReset = policy.next(using: &random)
        #expect(afterReset.map { $0 < .seconds(2) } == true)
    }

    @Test("the server's requested delay is the minimum")
    func floor() {
        var policy = ReconnectPolicy()
        var random = SystemRandomNumberGenerator()
        let delay = policy.next(atLeast: .seconds(30), using: &random)
        #expect(delay.map { $0 >= .seconds(30) } == true)
    }
}
