import Foundation
import TestSupport
import Testing
import Transfer

@Suite("Servers on Unix sockets", .timeLimit(.minutes(1)))
struct LocalServerTests {
    private func withSocket(_ body: (String) async throws -> Void) async throws {
        let path = "/tmp/bt-\(UUID().uuidString.prefix(8)).sock"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    private func request(_ path: String, users: Set<UInt32> = [getuid()], body: TransferBody? = nil) -> TransferRequest
    {
        TransferRequest(url: "http://reader/v1/models", body: body, server: LocalServer(path: path, users: users))
    }

    @Test("requests and their bodies are sent to the socket and share a connection")
    func answers() async throws {
        try await withSocket { path in
            try await FaultServer.with(at: path) { _, _ in
                FaultStep.answer()
            } _: { server in
                let engine = try TransferEngineTests.engine()
                let first = try await engine.perform(request(path))
                let second = try await engine.perform(request(path, body: TransferBody([.text("{}")])))
                #expect(first.body == Data("ok".utf8))
                #expect(!first.reusedConnection)
                #expect(second.reusedConnection)
                let heads = server.arrivals.map(\.head)
                #expect(heads.first?.hasPrefix("GET /v1/models HTTP/1.1") == true)
                #expect(heads.first?.contains("Host: reader") == true)
                #expect(heads.last?.hasPrefix("POST /v1/models HTTP/1.1") == true)
            }
        }
    }

    @Test("no request is ever sent to a process of another user")
    func otherUser() async throws {
        try await withSocket { path in
            try await FaultServer.with(at: path) { _, _ in
                FaultStep.answer()
            } _: { server in
                let engine = try TransferEngineTests.engine()
                for _ in 0..<2 {
                    let failure = await TransferEngineTests.failure(engine, request(path, users: [getuid() + 1]))
                    guard case .connectionFailed(.unreachable, let reason)? = failure else {
                        Issue.record("the request ended with \(String(describing: failure))")
                        return
                    }
                    #expect(reason.contains("another user"))
                }
                #expect(server.arrivals.isEmpty)
            }
        }
    }

    @Test("a missing socket is unreachable, and a connection to another server is never used in its place")
    func absent() async throws {
        try await withSocket { path in
            let engine = try TransferEngineTests.engine()
            guard case .connectionFailed(.unreachable, _)? = await TransferEngineTests.failure(engine, request(path))
            else {
                Issue.record("a missing socket was reached")
                return
            }
            try await FaultServer.with { _, _ in
                FaultStep.answer()
            } _: { server in
                _ = try await engine.perform(TransferRequest(url: server.baseURL + "/"))
                guard case .connectionFailed? = await TransferEngineTests.failure(engine, request(path)) else {
                    Issue.record("the socket was reached through another host")
                    return
                }
            }
        }
    }
}
