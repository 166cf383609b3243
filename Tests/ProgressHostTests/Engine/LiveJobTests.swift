import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

/// Tests with the real engine thread, the real server and real sockets.
@Suite("Live host")
struct LiveJobTests {
    /// A connected api-proxy, with the messages it receives as a stream.
    private struct Proxy {
        let client: RPCClient
        let running: Task<Void, Never>
        let received: AsyncStream<Received>

        init(_ host: LiveHost) async throws {
            let (stream, continuation) = AsyncStream<Received>.makeStream()
            var router = RPCRouter()
            router.onRaw(SocketDelivery.name) { raw, _ in
                if let delivery = SocketDelivery(raw: raw) { continuation.yield(.frame(ReceivedFrame(delivery))) }
            }
            router.on(CloseSockets.self) { closing, _ in
                continuation.yield(.close(closing.code, reason: closing.reason))
            }
            received = stream
            (client, running) = try await host.connect(router)
        }

        /// All messages up to and including the close.
        func untilClose() async -> [Received] {
            var all: [Received] = []
            for await next in received {
                all.append(next)
                if case .close = next { break }
            }
            return all
        }
    }

    private func outcome(_ item: ClaimedItem) throws -> RecordWork {
        let row = try BookRows.row(item, error: nil)
        return RecordWork(
            outcomes: [
                ItemOutcome(
                    key: item.key, workClass: item.workClass, errorCode: nil, title: item.query.displayTitle,
                    followUp: .none, rowLength: row.readableBytes)
            ], rows: [row])
    }

    @Test("a job runs from its start through claims and recorded outcomes to its results and a closed socket")
    func wholeJob() async throws {
        let host = try LiveHost()
        try await host.listen()
        let proxy = try await Proxy(host)
        let (worker, working) = try await host.connect()
        let job = try await proxy.client.call(
            CreateJob.self,
            .init(
                jobId: TestHost.jobID, pipeline: .batchEnrichment, digest: "d",
                items: (0..<60).map { BookQuery(title: "Book \($0)") }))
        _ = try await proxy.client.call(
            OpenSocket.self,
            .init(
                socket: SocketID(1),
                request: SocketRequest(jobId: job.jobId, token: job.token, reconnect: false, since: 0, v1: false)))
        _ = try await worker.call(AttachWorker.self, .init(held: []))
        while true {
            let claimed = try await worker.call(
                ClaimWork.self, .init(limit: 20, perJob: 20, waitMilliseconds: 0, scope: .firstLookups))
            if claimed.items.isEmpty { break }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for item in claimed.items {
                    let work = try outcome(item)
                    group.addTask {
                        _ = try await worker.callRaw(RecordWork.name, work.raw(), deadline: RecordWork.deadline)
                    }
                }
                try await group.waitForAll()
            }
        }
        let story = await proxy.untilClose()
        #expect(story.types.first == "reconnected")
        #expect(story.seqs == Array(1...story.seqs.count))
        #expect(story.types.last == "job_complete")
        #expect(story.close == .normal)
        let parameters = try BodyCoding.encode(ReadResults.Parameters(jobId: job.jobId))
        let results = try #require(
            ReadResults(
                raw: try await proxy.client.callRaw(ReadResults.name, parameters, deadline: ReadResults.deadline)))
        #expect(results.head.successCount == 60)
        #expect(results.page.next == nil)
        #expect(
            try BookRows.decode("[" + String(buffer: results.page.rows) + "]").map(\.title)
                == (0..<60).map { "Book \($0)" })
        let health = try await proxy.client.call(HealthCheck.self, Nothing())
        #expect(health.service == .progressHost)
        #expect(health.readiness.status == .ready)
        for (client, task) in [(proxy.client, proxy.running), (worker, working)] {
            await client.shutdown()
            task.cancel()
        }
        await host.stop()
    }

    @Test("if a worker's connection drops, its items are handed to a waiting worker")
    func workerDrops() async throws {
        let host = try LiveHost()
        try await host.listen()
        let (first, firstTask) = try await host.connect()
        let (second, secondTask) = try await host.connect()
        _ = try await first.call(
            CreateJob.self,
            .init(jobId: TestHost.jobID, pipeline: .batchEnrichment, digest: "d", items: [BookQuery(title: "Dune")]))
        _ = try await first.call(AttachWorker.self, .init(held: []))
        _ = try await second.call(AttachWorker.self, .init(held: []))
        let taken = try await first.call(
            ClaimWork.self, .init(limit: 5, perJob: 5, waitMilliseconds: 1_000, scope: .firstLookups))
        #expect(taken.items.count == 1)
        async let waiting = second.call(
            ClaimWork.self, .init(limit: 5, perJob: 5, waitMilliseconds: 20_000, scope: .firstLookups))
        await first.shutdown()
        #expect(try await waiting.items.map(\.key.index) == [0])
        firstTask.cancel()
        await second.shutdown()
        secondTask.cancel()
        await host.stop()
    }

    @Test("a client message that the host cannot accept closes its socket with 1013 instead of being lost")
    func refusedMessage() async throws {
        let host = try LiveHost()
        try await host.listen()
        let closed = AsyncStream<CloseSockets.Parameters>.makeStream()
        var router = RPCRouter()
        router.on(CloseSockets.self) { closing, _ in closed.continuation.yield(closing) }
        let (proxy, running) = try await host.connect(router)
        // A host whose engine has stopped refuses messages like one whose mailbox is full.
        await host.methods.engine.stop()
        try #require(proxy.connection).notify(SocketMessage.self, .init(socket: SocketID(7), text: "{}"))
        for await closing in closed.stream {
            #expect(closing.sockets == [SocketID(7)])
            #expect(closing.code == .tryAgainLater)
            break
        }
        await proxy.shutdown()
        running.cancel()
        await host.stop(engineIsStopped: true)
    }

    @Test("application errors keep their codes over the socket")
    func errors() async throws {
        let host = try LiveHost()
        try await host.listen()
        let (client, task) = try await host.connect()
        func code(_ body: () async throws -> Void) async -> String? {
            do {
                try await body()
                return nil
            } catch {
                return (error as? RPCError)?.applicationCode ?? "\(error)"
            }
        }
        let access = JobAccess(jobId: TestHost.jobID, token: "wrong")
        #expect(await code { _ = try await client.call(CancelJob.self, access) } == "UNAUTHORIZED")
        #expect(
            await code {
                _ = try await client.callRaw(
                    ReadResults.name, try BodyCoding.encode(ReadResults.Parameters(jobId: TestHost.jobID)),
                    deadline: ReadResults.deadline)
            } == "NOT_FOUND")
        #expect(
            await code {
                _ = try await client.callRaw(RecordWork.name, ByteBuffer(string: "{}"), deadline: .seconds(5))
            }
                == "INVALID_REQUEST")
        #expect(await code { _ = try await client.call(SubmitDraft.self, .init(draftId: 9)) } == "INVALID_REQUEST")
        await client.shutdown()
        task.cancel()
        await host.stop()
    }

    @Test("a host answers calls before it stops and refuses calls after that")
    func stopping() async throws {
        let host = try LiveHost()
        let engine = host.methods.engine
        async let before = engine.perform { _, _ in 1 }
        #expect(try await before == 1)
        await host.stop()
        await #expect(throws: HostFailure.storage("progress-host is stopping")) {
            try await engine.perform { _, _ in 2 }
        }
    }
}
