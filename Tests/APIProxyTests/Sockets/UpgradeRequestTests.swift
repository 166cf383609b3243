import BookstrackContract
import HTTPTypes
import NIOHTTP1
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Parsing WebSocket requests") struct UpgradeRequestParsingTests {
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    private func request(_ query: String, _ headers: HTTPHeaders = [:]) throws -> UpgradeRequest {
        try UpgradeRequest(uri: "/ws/progress?\(query)", headers: headers)
    }

    private func head(
        _ uri: String = "/ws/jobs", method: HTTPMethod = .GET, version: HTTPVersion = .http1_1,
        _ change: (inout HTTPHeaders) -> Void = { _ in }
    ) -> HTTPRequestHead {
        var headers: HTTPHeaders = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": Self.key,
        ]
        change(&headers)
        return HTTPRequestHead(version: version, method: method, uri: uri, headers: headers)
    }

    private func refusal(_ head: HTTPRequestHead) -> APIFailure? {
        if case .refuse(let failure) = UpgradeDecision(head) { failure } else { nil }
    }

    @Test(
        "only the values true and 1 request a reconnection, and only the value 1 selects the v1 dialect",
        arguments: [
            ("jobId=job-12345&reconnect=true&protocol=1", true, true), ("jobId=job-12345&reconnect=1", true, false),
            ("jobId=job-12345&reconnect=yes&protocol=2", false, false), ("jobId=job-12345", false, false),
        ])
    func flags(query: String, reconnect: Bool, v1: Bool) throws {
        #expect(try request(query).reconnect == reconnect)
        #expect(try request(query).v1 == v1)
    }

    @Test(
        "since may be a non-negative number or be absent",
        arguments: [("0", 0), ("17", 17), (nil, nil)] as [(String?, Int?)])
    func since(text: String?, number: Int?) throws {
        #expect(try request("jobId=job-12345" + (text.map { "&since=\($0)" } ?? "")).since == number)
    }

    @Test(
        "the token in the query takes precedence over the header field's token, which takes precedence over the subprotocol's",
        arguments: [
            ("&token=q", "Bearer f", "bookstrack-auth.p", "q"), ("", "Bearer f", "bookstrack-auth.p", "f"),
            ("", nil, "bookstrack-auth.p", "p"), ("", "Basic f", "bookstrack-auth.p", "p"),
            ("", nil, "other, bookstrack-auth.p", "p"),
            ("", nil, "other", nil), ("", nil, nil, nil),
        ] as [(String, String?, String?, String?)])
    func tokens(query: String, field: String?, subprotocol: String?, token: String?) throws {
        var headers: HTTPHeaders = [:]
        if let field { headers.add(name: "Authorization", value: field) }
        if let subprotocol { headers.add(name: "Sec-WebSocket-Protocol", value: subprotocol) }
        #expect(try request("jobId=job-12345\(query)", headers).token == token)
    }

    @Test("the subprotocol is echoed as it was offered, even if the token was read from elsewhere")
    func echoed() throws {
        let asked = try request("jobId=job-12345&token=q", ["Sec-WebSocket-Protocol": "a, bookstrack-auth.P-1_x"])
        #expect(UpgradeTarget.job(asked).subprotocol == "bookstrack-auth.P-1_x")
        #expect(UpgradeTarget.jobs.subprotocol == nil)
    }

    @Test(
        "an invalid value is refused with a 400 that names its field",
        arguments: [
            ("", "jobId", "jobId is missing."), ("jobId=", "jobId", "jobId is missing."),
            ("jobId=a%20b%20c%20d", "jobId", "jobId must be 4 to 64 characters from A-Z a-z 0-9 _ -."),
            ("jobId=job-12345&since=x", "since", "since must be a whole number of 0 or more."),
            ("jobId=job-12345&since=-1", "since", "since must be a whole number of 0 or more."),
            ("jobId=job-12345&since=", "since", "since must be a whole number of 0 or more."),
            ("jobId=job-12345&follow=all", "follow", "follow must be results."),
        ])
    func refused(query: String, field: String, message: String) {
        let refusal = refusal(head("/ws/progress?\(query)"))
        #expect(refusal?.code == .invalidRequest)
        #expect(refusal?.details == ["field": .text(field)])
        #expect(refusal?.message == message)
    }

    @Test("the request to progress-host contains what the client sent")
    func passedOn() throws {
        let asked = try request("jobId=job-12345&token=t&since=3&reconnect=1&protocol=1&follow=results").socketRequest
        #expect(asked.jobId.text == "job-12345")
        #expect(asked.token == "t")
        #expect(asked.since == 3)
        #expect(asked.reconnect)
        #expect(asked.v1)
        #expect(asked.followsResults == true)
        #expect(try request("jobId=job-12345").socketRequest.followsResults == nil)
    }

    @Test("an upgrade request is recognized for a single job and for a multi-job socket")
    func asked() throws {
        #expect(UpgradeDecision(head("/ws/jobs")) == .ask(.jobs))
        #expect(UpgradeDecision(head("/ws/jobs?x=1")) == .ask(.jobs))
        #expect(
            UpgradeDecision(head("/ws/progress?jobId=job-12345")) == .ask(.job(try request("jobId=job-12345"))))
    }

    @Test(
        "a WebSocket's path may be given with empty segments or in an absolute target, as on other routes",
        arguments: ["//ws/jobs", "/ws/jobs/", "/ws//jobs?x=1", "http://a/ws/jobs", "http://a//ws/jobs/"])
    func targets(uri: String) { #expect(UpgradeDecision(head(uri)) == .ask(.jobs)) }

    @Test("a request other than an HTTP/1.1 upgrade to a WebSocket on a WebSocket path is handled as plain HTTP")
    func plain() {
        #expect(UpgradeDecision(head("/ws/other")) == .http)
        #expect(UpgradeDecision(head("/ws/jobs/x")) == .http)
        #expect(UpgradeDecision(head("http://a/ws")) == .http)
        #expect(UpgradeDecision(head(method: .POST)) == .http)
        #expect(UpgradeDecision(head(version: .http1_0)) == .http)
        #expect(UpgradeDecision(head { $0.remove(name: "Connection") }) == .http)
        #expect(UpgradeDecision(head { $0.replaceOrAdd(name: "Upgrade", value: "h2c") }) == .http)
    }

    @Test("upgrade fields may be lists, may be repeated and are case-insensitive")
    func fields() {
        let lists = head {
            $0.replaceOrAdd(name: "Upgrade", value: "h2c, WebSocket")
            $0.replaceOrAdd(name: "Connection", value: "keep-alive, UPGRADE")
        }
        #expect(UpgradeDecision(lists) == .ask(.jobs))
        let repeated = head { $0.add(name: "Connection", value: "keep-alive") }
        #expect(UpgradeDecision(repeated) == .ask(.jobs))
    }

    @Test(
        "an unsupported WebSocket version is refused with a 426 that states the supported version",
        arguments: ["12", "", "13, 12"])
    func versions(version: String) {
        let refusal = refusal(head { $0.replaceOrAdd(name: "Sec-WebSocket-Version", value: version) })
        #expect(refusal?.code == .upgradeRequired)
        #expect(refusal?.fields[.secWebSocketVersion] == "13")
        #expect(refusal?.fields[.upgrade] == "websocket")
    }

    @Test(
        "a key that is not 16 bytes in Base64 is refused",
        arguments: ["", "abc", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZQ===="])
    func keys(key: String) {
        let refusal = refusal(head { $0.replaceOrAdd(name: "Sec-WebSocket-Key", value: key) })
        #expect(refusal?.details == ["field": "Sec-WebSocket-Key"])
    }

    @Test("a repeated key is refused")
    func repeatedKey() {
        #expect(refusal(head { $0.add(name: "Sec-WebSocket-Key", value: Self.key) })?.code == .invalidRequest)
    }

    @Test(
        "an upgrade offer ends the HTTP decoding if the Connection field lists Upgrade in plain form",
        arguments: [
            ("Upgrade", "h2c", UpgradeOffer.endsDecoding), ("keep-alive, upgrade", "h2c", .endsDecoding),
            ("close", "h2c", .none),
            ("x-upgrade", "h2c", .none), ("upgraded", "h2c", .none), ("Upgrade;x", "h2c", .unclear),
            ("Upgrade", "", .unclear),
            ("\"upgrade\"", "h2c", .unclear),
        ])
    func offers(connection: String, upgrade: String, offer: UpgradeOffer) {
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/", headers: ["Connection": connection, "Upgrade": upgrade])
        #expect(head.upgradeOffer == offer)
    }
}

@Suite("Parsing event stream requests") struct EventStreamRequestTests {
    private func request(_ query: String = "", _ headers: HTTPHeaders = [:]) throws(APIFailure) -> EventStreamRequest {
        try EventStreamRequest(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/x?\(query)", headers: headers))
    }

    @Test(
        "a reconnecting EventSource's Last-Event-ID takes precedence over the query unless it is empty",
        arguments: [
            ("since=3", "17", 17), ("since=3", "", 3), ("since=3", nil, 3), ("", "0", 0), ("", nil, nil),
        ] as [(String, String?, Int?)])
    func places(query: String, field: String?, since: Int?) throws {
        let headers: HTTPHeaders = field.map { ["Last-Event-ID": $0] } ?? [:]
        #expect(try request(query, headers).since == since)
    }

    @Test(
        "a number that cannot be parsed is refused with the name of its parameter or header",
        arguments: [
            ("since=x", nil, "since"), ("since=-1", nil, "since"), ("", "1=2", "Last-Event-ID"),
            ("since=1", "x", "Last-Event-ID"),
        ] as [(String, String?, String)])
    func refused(query: String, field: String?, place: String) {
        let headers: HTTPHeaders = field.map { ["Last-Event-ID": $0] } ?? [:]
        do {
            _ = try request(query, headers)
            Issue.record("an invalid number was accepted")
        } catch {
            #expect(error.details == ["field": .text(place)])
        }
    }

    @Test("the token may be in the query or in the Authorization header")
    func tokens() throws {
        #expect(try request("token=q", ["Authorization": "Bearer f"]).token == "q")
        #expect(try request("", ["Authorization": "Bearer f"]).token == "f")
        #expect(try request().token == nil)
    }
}
