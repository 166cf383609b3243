import TestSupport
import Testing
import Transfer

@Suite("Concurrent, cancelled and stopped transfers", .timeLimit(.minutes(1)))
struct ConcurrentTransferTests {
    @Test("cancelling a task aborts its transfer and closes its connection")
    func cancels() async throws {
        try await FaultServer.with { _, _ in
            [.hang]
        } _: { server in
            let engine = try TransferEngineTests.engine()
            let call = Task { await TransferEngineTests.failure(engine, TransferRequest(url: server.baseURL)) }
            await server.requests(1)
            call.cancel()
            #expect(await call.value == .cancelled)
            await server.allClosed()
        }
    }

    @Test("calls that are cancelled right after their start succeed or end as cancelled, and the engine remains usable")
    func cancelledBefore() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let engine = try TransferEngineTests.engine()
            let calls = (0..<100).map { _ in
                let call = Task { await TransferEngineTests.failure(engine, TransferRequest(url: server.baseURL)) }
                call.cancel()
                return call
            }
            for call in calls {
                let error = await call.value
                #expect(error == nil || error == .cancelled)
            }
            _ = try await engine.perform(TransferRequest(url: server.baseURL))
        }
    }

    @Test("requests beyond the concurrency limit wait, and requests beyond the queue limit fail")
    func saturates() async throws {
        try await FaultServer.with { path, _ in
            path == "/hang" ? [.hang] : FaultStep.answer()
        } _: { server in
            let engine = try TransferEngineTests.engine(TransferLimits(concurrent: 1, queued: 1))
            let running = Task {
                await TransferEngineTests.failure(engine, TransferRequest(url: server.baseURL + "/hang"))
            }
            await server.requests(1)
            let request = TransferRequest(url: server.baseURL + "/waits")
            await withTaskGroup(of: TransferError?.self) { group in
                for _ in 0..<3 { group.addTask { await TransferEngineTests.failure(engine, request) } }
                #expect(await group.next() == .saturated)
                #expect(await group.next() == .saturated)
                #expect(server.arrivals.count == 1)
                running.cancel()
                #expect(await group.next() == TransferError?.none)
            }
            #expect(await running.value == .cancelled)
        }
    }

    @Test("a request whose deadline passes while it is queued fails without being sent")
    func queueDeadline() async throws {
        try await FaultServer.with { _, _ in
            [.hang]
        } _: { server in
            let engine = try TransferEngineTests.engine(TransferLimits(concurrent: 1))
            let running = Task { await TransferEngineTests.failure(engine, TransferRequest(url: server.baseURL)) }
            await server.requests(1)
            let late = TransferRequest(url: server.baseURL, deadline: .now.advanced(by: .milliseconds(50)))
            #expect(await TransferEngineTests.failure(engine, late) == .saturated)
            #expect(server.arrivals.count == 1)
            running.cancel()
            _ = await running.value
        }
    }

    @Test("a shutdown fails running, queued and later requests")
    func shutsDown() async throws {
        try await FaultServer.with { _, _ in
            [.hang]
        } _: { server in
            let engine = try TransferEngineTests.engine(TransferLimits(concurrent: 2))
            let calls = (0..<4).map { _ in
                Task { await TransferEngineTests.failure(engine, TransferRequest(url: server.baseURL)) }
            }
            await server.requests(2)
            await engine.shutdown()
            for call in calls { #expect(await call.value == .stopped) }
            #expect(await TransferEngineTests.failure(engine, TransferRequest(url: server.baseURL)) == .stopped)
            await engine.shutdown()
            await server.allClosed()
        }
    }

    @Test("an engine that is no longer referenced closes its connections")
    func letGo() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            do {
                let engine = try TransferEngineTests.engine()
                _ = try await engine.perform(TransferRequest(url: server.baseURL))
            }
            await server.allClosed()
        }
    }

    @Test("each of a thousand concurrent calls receives a response, over no more connections than allowed")
    func many() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let engine = try TransferEngineTests.engine(TransferLimits(concurrent: 16))
            let total = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<1000 {
                    group.addTask {
                        try await engine.perform(TransferRequest(url: server.baseURL + "/\(index)")).status
                    }
                }
                return try await group.reduce(0) { $0 + ($1 == 200 ? 1 : 0) }
            }
            #expect(total == 1000)
            #expect(server.connections <= 16)
        }
    }
}
