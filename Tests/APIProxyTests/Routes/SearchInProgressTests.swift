import BookstrackContract
import NIOCore
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("Searches in progress", .timeLimit(.minutes(1))) struct SearchInProgressTests {
    @Test("while the main worker is down, another worker handles searches, and readiness reports both")
    func failsOver() async throws {
        try await RunningProxy.run { proxy in
            let main = try await FakeWorker(at: proxy, answering: .success(FakeWorker.found()))
            let second = try await FakeWorker(
                at: proxy, named: WorkerName("second")!, answering: .success(FakeWorker.found()))
            #expect(try await proxy.request("GET", "/v1/search/title?q=one").status == 200)
            #expect(main.questions.elements.count == 1)
            #expect(second.questions.elements.isEmpty)
            await main.stop()
            #expect(try await proxy.request("GET", "/v1/search/title?q=two").status == 200)
            #expect(second.questions.elements.count == 1)
            let ready = try await proxy.request("GET", "/health/ready", port: proxy.adminPort)
            let report = String(decoding: ready.body, as: UTF8.self)
            #expect(report.contains("enrichment-worker: not connected; enrichment-worker-second: connected"))
            await second.stop()
        }
    }

    @Test("a search continues on another worker if the first one is killed while searching")
    func failsOverMeanwhile() async throws {
        try await RunningProxy.run { proxy in
            let main = try await FakeWorker(at: proxy, answering: nil)
            let second = try await FakeWorker(
                at: proxy, named: WorkerName("second")!, answering: .success(FakeWorker.found()))
            async let answer = proxy.request("GET", FakeWorker.search)
            _ = try await main.questions.take()
            main.drop()
            #expect(try await answer.status == 200)
            await second.stop()
            main.answer(.success(try FakeWorker.found()))
            await main.stop()
        }
    }

    @Test("identical concurrent searches share one call")
    func singleFlight() async throws {
        try await FakeWorker.run(nil) { proxy, worker in
            async let answers = withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await proxy.request("GET", FakeWorker.search).status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            _ = try await worker.questions.take()
            worker.answer(.success(try FakeWorker.found()))
            #expect(try await answers == [Int](repeating: 200, count: 8))
            #expect(worker.questions.elements.count == 0)
        }
    }

    @Test(
        "a search is cancelled at the worker when its last client disconnects, but not while another client is waiting")
    func abandoned() async throws {
        try await FakeWorker.run(nil) { proxy, worker in
            func ask(_ path: String) async throws -> RawConnection {
                let connection = try await RawConnection(port: proxy.port)
                try await connection.send(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
                return connection
            }
            let first = try await ask(FakeWorker.search)
            _ = try await worker.questions.take()
            let second = try await ask(FakeWorker.search)
            try await until { proxy.services.searches.requestsInFlight >= 2 }
            await first.close()
            try await until { proxy.services.searches.requestsInFlight <= 1 }
            let other = try await ask("/v1/search/title?q=other")
            _ = try await worker.questions.take()
            await other.close()
            let left = try await worker.abandoned.take()
            #expect(left.query.kind == .title)
            await second.close()
            let last = try await worker.abandoned.take()
            #expect(last.query.kind == .isbn)
            worker.answer(.success(try FakeWorker.found()))
        }
    }

    @Test("a client whose search is in progress when the server stops receives a 503 with Retry-After")
    func stops() async throws {
        try await FakeWorker.run(nil, { $0.timeouts.lastSearch = .zero }) { proxy, worker in
            // Without a stop, the search would continue to wait.
            async let answering = proxy.request("GET", FakeWorker.search)
            _ = try await worker.questions.take()
            try await proxy.shutdown()
            let answer = try await answering
            #expect(answer.status == 503)
            #expect(answer["retry-after"] == "2")
            #expect(try answer.failure.code == .serviceUnavailable)
            worker.answer(.success(try FakeWorker.found()))
        }
    }

    @Test("a client that closes its sending side while waiting for a search receives no response")
    func halfClosed() async throws {
        try await FakeWorker.run(nil) { proxy, worker in
            let connection = try await RawConnection(port: proxy.port, sendsOn: true)
            try await connection.send("GET \(FakeWorker.search) HTTP/1.1\r\nHost: a\r\nX-Request-Id: r-half\r\n\r\n")
            _ = try await worker.questions.take()
            await connection.closeOutput()
            #expect(try await connection.readToEnd().isEmpty)
            worker.answer(.success(try FakeWorker.found()))
        }
    }
}
