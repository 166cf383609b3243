import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import APIProxy

@Suite("Clients while api-proxy is replaced") struct RestartTests {
    private static let request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let lastRequest = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    @Test(
        "a connection that was accepted and never used gets an answer to its first request", arguments: [false, true])
    func firstRequest(_ isAdmin: Bool) async throws {
        try await RunningProxy.run {
            $0.patience.lastRequest = .seconds(60)
        } _: { proxy in
            let port = isAdmin ? proxy.adminPort : proxy.port
            let unused = try await RawConnection(port: port)
            // What is accepted later is answered later: when this one is, the other is accepted.
            let idle = try await RawConnection(port: port)
            try await idle.send(Self.request)
            _ = try await idle.arrivals.take()
            async let ended: Void = proxy.shutdown()
            #expect(try await idle.arrivals.take() == .end)
            try await unused.send(Self.request)
            let answer = try HTTPAnswer(await unused.readToEnd())
            #expect(answer.status == 200)
            #expect(answer["connection"] == "close")
            try await ended
        }
    }

    @Test("nobody who sends a request through ten restarts is left without an answer")
    func restarts() async throws {
        let socket = try OpenPort()
        let isOver = NIOLockedValueBox(false)
        let answers = Mailbox<Int>()
        try await withThrowingTaskGroup { clients in
            for _ in 0..<8 {
                clients.addTask {
                    while !isOver.withLockedValue({ $0 }) {
                        let connection = try await RawConnection(port: socket.port)
                        try await connection.send(Self.lastRequest)
                        answers.append(try HTTPAnswer(await connection.readToEnd()).status)
                        await connection.close()
                    }
                }
            }
            for restart in 0...10 {
                try await RunningProxy.run(startsHost: false) {
                    $0.publicPlace = .passed(descriptor: socket.copy())
                } _: { _ in
                    for _ in 0..<50 { #expect(try await answers.take() == 200) }
                    guard restart == 10 else { return }
                    isOver.withLockedValue { $0 = true }
                    try await clients.waitForAll()
                }
            }
        }
    }
}
