import BookstrackContract
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import BookstrackClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Parsing event streams")
struct EventStreamParserTests {
    /// A stream in variants of the syntax in the HTML standard §9.2.6: a byte order mark, comments, each kind of line ending, a colon without a
    /// space, and a field without a colon.
    private static let text =
        "\u{FEFF}: hello\n\nid: 1\nevent: job_progress\ndata: {\"a\":1}\n\ndata:x\r\ndata: y\r\n\r\nretry: 1500\rdata\r\r: beat\n\n"

    @Test("a stream is parsed correctly in pieces of any size", arguments: [1, 2, 3, 5, 1_000])
    func pieces(size: Int) throws {
        var parser = EventStreamParser()
        var rest = Data(Self.text.utf8)
        var events: [String] = []
        while !rest.isEmpty {
            events += try parser.read(rest.prefix(size))
            rest = Data(rest.dropFirst(size))
        }
        #expect(events == [#"{"a":1}"#, "x\ny", ""])
        #expect(parser.retry == .milliseconds(1_500))
    }

    @Test("a line that does not end is rejected at the size limit")
    func longLine() {
        var parser = EventStreamParser()
        #expect(throws: TransportFailure.malformed("a line of the event stream is too long")) {
            _ = try parser.read(Data(repeating: 65, count: 3 << 20))
        }
    }
}

@Suite("Parsing frames")
struct ServerMessageTests {
    private static let job = JobID.random()

    private func text(_ payload: some FramePayload, seq: Int = 3) throws -> String {
        let frame = ServerFrame(jobId: Self.job, pipeline: .aiScan, timestamp: 1_500, seq: seq, payload: payload)
        return String(decoding: try JSONEncoder().encode(frame), as: UTF8.self)
    }

    private func progress(_ status: String, keepAlive: Bool? = nil) -> JobProgressPayload {
        JobProgressPayload(
            counts: JobCounts(total: 4, succeeded: 1), status: status, currentTitle: "Dune", currentItemDetails: nil,
            userMessage: "", estimatedTimeRemaining: nil, keepAlive: keepAlive)
    }

    @Test("a decoded event has its number, its time and the job's progress")
    func event() throws {
        guard case .event(let event) = try ServerMessage(text(progress("Processing"))) else {
            Issue.record("the frame is not an event")
            return
        }
        #expect(event.seq == 3)
        #expect(event.date == Date(timeIntervalSince1970: 1.5))
        #expect(event.progress == 0.25)
        #expect(!event.isLast)
    }

    @Test("a cancelled job's last frame is decoded as a cancellation, and a keep-alive frame is not an event")
    func kinds() throws {
        guard case .event(let event) = try ServerMessage(text(progress(StatusText.cancelled))) else {
            Issue.record("the frame is not an event")
            return
        }
        #expect(event.content == .cancelled)
        #expect(try ServerMessage(text(progress("Processing", keepAlive: true))) == .other)
        #expect(try ServerMessage(text(BatchCancelingPayload())) != .other)
        #expect(try ServerMessage(text(PingPayload(timestamp: 1))) == .ping)
        #expect(try ServerMessage(text(PongPayload(timestamp: 9, clientTime: 8))) == .pong(clientTime: 8))
    }

    @Test("unknown frame types and failure codes are accepted, because a later version may send them")
    func later() throws {
        let head = #""jobId":"\#(Self.job)","pipeline":"ai_scan","timestamp":1,"version":"1.0.0","seq":9"#
        #expect(try ServerMessage(#"{"type":"hologram",\#(head),"payload":{}}"#) == .other)
        let failure = #"{"type":"error",\#(head),"payload":{"code":"E_LATER","message":"m","retryable":true}}"#
        guard case .event(let event) = try ServerMessage(failure), case .failed(let error) = event.content else {
            Issue.record("the frame is not a failure")
            return
        }
        #expect(error.code.rawValue == "E_LATER")
        #expect(error.isRetryable)
    }

    @Test(
        "an error frame of a connection that can no longer follow its job is not an event",
        arguments: [FrameErrorCode.unauthorized, .notFound])
    func rejections(code: FrameErrorCode) throws {
        let payload = JobErrorPayload(
            code: code, message: "m", userMessage: "u", retryable: false, affectedItems: [],
            details: .init(successCount: 0, failureCount: 0))
        #expect(
            try ServerMessage(text(payload, seq: 0)) == .rejected(BookstrackError(.init(rawValue: code.rawValue), "m")))
    }

    @Test("anything that is not a frame is an error", arguments: ["", "[]", "{}", #"{"type":"job_started"}"#, "PONG"])
    func malformed(text: String) {
        #expect { try ServerMessage(text) } throws: { ($0 as? BookstrackError)?.code == .unexpectedAnswer }
    }
}

@Suite("Writing forms")
struct MultipartFormTests {
    @Test(
        "no file name can end the quotes or the line that contain it",
        arguments: ["a\"b", "a\"\u{301}b", "a\r\nb", "a\n\u{200D}b"])
    func names(name: String) throws {
        var form = MultipartForm()
        form.add("file", file: Data(), named: name, type: "text/csv")
        let lines = String(decoding: form.body, as: UTF8.self).components(separatedBy: "\r\n")
        let field = lines.dropFirst().first?.unicodeScalars ?? "".unicodeScalars
        #expect(field.count { $0 == "\"" } == 4)
        #expect(!field.contains("\n"))
        #expect(lines.dropFirst(2).first == "Content-Type: text/csv")
    }
}

@Suite("Names in certificates")
struct CertificateNameTests {
    @Test(
        "a certificate covers a host by its exact name, or by a wildcard for its first label",
        arguments: [
            ("books.example", "books.example", true), ("Books.Example", "books.example.", true),
            ("*.books.example", "api.books.example", true), ("*.books.example", "books.example", false),
            ("*.books.example", "a.b.books.example", false), ("*.example", "books.example", false),
            ("books.example", "other.example", false), ("*", "books", false), ("", "books.example", false),
            ("b*.books.example", "bc.books.example", false),
        ])
    func names(name: String, host: String, matches: Bool) {
        #expect(CertificateName(name).matches(host) == matches)
    }
}

@Suite("Opening a WebSocket")
struct WebSocketHandshakeTests {
    private func handshake() -> WebSocketHandshake {
        WebSocketHandshake(
            target: "/base/ws/progress?jobId=a&since=0", host: "localhost:8080",
            fields: ["Sec-WebSocket-Protocol": "bookstrack-auth.t"])
    }

    @Test("the upgrade request contains the path, the host and the protocol")
    func request() {
        let lines = handshake().request.components(separatedBy: "\r\n")
        #expect(lines.first == "GET /base/ws/progress?jobId=a&since=0 HTTP/1.1")
        #expect(lines.contains("Host: localhost:8080"))
        #expect(lines.contains("Sec-WebSocket-Protocol: bookstrack-auth.t"))
    }

    @Test("a refusal is read to the end of its body, in pieces of any size", arguments: [1, 7, 1_000])
    func refusal(size: Int) throws {
        var handshake = handshake()
        var rest = Data("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 4\r\n\r\nbusy".utf8)
        var outcome: WebSocketHandshake.Outcome?
        while !rest.isEmpty {
            #expect(outcome == nil)
            outcome = try handshake.read(rest.prefix(size))
            rest = Data(rest.dropFirst(size))
        }
        let headers = ["retry-after": "5", "content-length": "4"]
        #expect(outcome == .refused(ClientAnswer(status: 503, headers: headers, body: Data("busy".utf8))))
    }

    @Test("a refusal's body with no length ends with the connection")
    func closedBody() throws {
        var handshake = handshake()
        #expect(try handshake.read(Data("HTTP/1.0 403 No\r\n\r\nno".utf8)) == nil)
        #expect(handshake.refusalAtEnd == ClientAnswer(status: 403, body: Data("no".utf8)))
    }

    @Test("a refusal whose body is cut off is not reported, because its error envelope cannot be read")
    func cutBody() throws {
        var handshake = handshake()
        #expect(try handshake.read(Data("HTTP/1.1 403 No\r\nContent-Length: 4\r\n\r\nno".utf8)) == nil)
        #expect(handshake.refusalAtEnd == nil)
    }

    @Test("a wrong accept key, a negative length, a different protocol and an endless response head are errors")
    func malformed() throws {
        for text in [
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: no\r\n\r\n",
            "HTTP/1.1 503 No\r\nContent-Length: -1\r\n\r\n",
            "SSH-2.0-OpenSSH\r\n\r\n", String(repeating: "a", count: 20_000),
        ] {
            var handshake = handshake()
            #expect {
                _ = try handshake.read(Data(text.utf8))
            } throws: {
                if case .malformed? = $0 as? TransportFailure { true } else { false }
            }
        }
    }

    @Test("a status that does not have three digits is an error", arguments: ["-1", "0", "99", "1000", "x"])
    func malformedStatus(status: String) {
        var handshake = handshake()
        #expect(throws: TransportFailure.malformed("the response is not HTTP")) {
            _ = try handshake.read(Data("HTTP/1.1 \(status) X\r\n\r\n".utf8))
        }
    }
}

@Suite("Requests over URLSession", .timeLimit(.minutes(1)))
struct StreamingSessionTests {
    @Test("opening a WebSocket ends if the server does not respond in time, or if the task is cancelled")
    func unansweredUpgrade() async throws {
        await #expect(throws: TransportFailure.timedOut) { try await SocketOpening().wait(atMost: .milliseconds(1)) }
        let opening = Task { try await SocketOpening().wait(atMost: .seconds(3_600)) }
        opening.cancel()
        await #expect(throws: TransportFailure.cancelled) { try await opening.value }
    }

    @Test(
        "only GET requests follow redirects, and only to the same host",
        arguments: [("GET", "127.0.0.1", 200), ("GET", "localhost", 301), ("POST", "127.0.0.1", 301)])
    func redirects(method: String, host: String, status: Int) async throws {
        let server = ScriptedServer(react: { number, request in
            let port = request.head.headers.first(name: "Host")?.split(separator: ":").last ?? ""
            return number == 0
                ? .answer(301, ["Location": "http://\(host):\(port)/b"], []) : .answer(200, [:], ["done"])
        })
        let port = try await server.start()
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/a")))
        request.httpMethod = method
        let session = StreamingSession(.ephemeral)
        #expect(try await session.start(request).head.status == status)
        #expect(server.requests.count == (status == 200 ? 2 : 1))
        await server.stop()
    }

    @Test("a session's configuration keeps the app's options, and the app's own configuration is not changed")
    func configuration() {
        let given = URLSessionConfiguration.ephemeral
        given.allowsCellularAccess = false
        let own = given.changed { $0.httpMaximumConnectionsPerHost = 64 }
        #expect(!own.allowsCellularAccess)
        #expect(own.httpMaximumConnectionsPerHost == 64)
        #expect(given.httpMaximumConnectionsPerHost != 64)
    }

    /// A protocol whose requests are never answered.
    private final class Silence: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { true }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {}

        override func stopLoading() {}
    }

    /// Repeated, because the session may report the cancellation at any moment after the request was created.
    @Test("a request ends when its task is cancelled, even before it was sent", arguments: [true, false])
    func cancelled(isEarly: Bool) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Silence.self]
        configuration.urlCache = nil
        let session = StreamingSession(configuration)
        let request = URLRequest(url: try #require(URL(string: "http://books.example")))
        for _ in 0..<100 {
            let call = Task {
                while isEarly, !Task.isCancelled { await Task.yield() }
                return try await session.start(request)
            }
            call.cancel()
            await #expect(throws: TransportFailure.cancelled) { try await call.value }
        }
    }
}
