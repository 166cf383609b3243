import BookstrackContract
import NIOHTTP1
import Testing

@testable import APIProxy

@Suite("The first head of a connection") struct UpgradeDecisionTests {
    private func decide(
        _ uri: String, _ fields: [(String, String)], method: HTTPMethod = .GET, version: HTTPVersion = .http1_1
    ) -> UpgradeDecision {
        UpgradeDecision(
            HTTPRequestHead(version: version, method: method, uri: uri, headers: HTTPHeaders(fields)))
    }

    private let upgrade = [
        ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", WebSocketClient.key),
    ]

    @Test("only a GET of the path that asks for a WebSocket in HTTP/1.1 is one")
    func http() {
        let uri = "/ws/progress?jobId=job-12345"
        #expect(decide(uri, []) == .http)
        #expect(decide(uri, upgrade, method: .POST) == .http)
        #expect(decide("/ws/other?jobId=job-12345", upgrade) == .http)
        #expect(decide(uri, upgrade, version: .http1_0) == .http)
        guard case .ask(let request) = decide(uri, upgrade) else {
            Issue.record("not asked")
            return
        }
        #expect(request.jobId.text == "job-12345" && request.token == nil && !request.reconnect && request.since == nil)
    }

    @Test(
        "a key that is missing, repeated or of another length is refused",
        arguments: [[], ["short"], [WebSocketClient.key, WebSocketClient.key]])
    func keys(_ keys: [String]) {
        let fields = upgrade.dropLast() + keys.map { ("Sec-WebSocket-Key", $0) }
        guard case .refuse(let failure) = decide("/ws/progress?jobId=job-12345", Array(fields)) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.code == .invalidRequest)
    }
}
