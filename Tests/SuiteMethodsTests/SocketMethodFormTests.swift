import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import TestSupport
import Testing

/// Bodies of the methods and notifications about sockets and searches (websocket.md, http-api.md "Searches").
@Suite("JSON of socket and search methods")
struct SocketMethodFormTests {
    private static let job = JobID("job-under-test")!

    @Test("a request to open a socket contains the query of its upgrade request")
    func open() throws {
        #expect(OpenSocket.name == "sockets.open")
        let plain = SocketRequest(jobId: Self.job, token: "T", reconnect: false, since: nil, v1: false)
        #expect(
            try WireForm.of(OpenSocket.Parameters(socket: SocketID(7), request: plain))
                == WireForm.line(
                    """
                    {"socket":7,"request":{"jobId":"job-under-test","token":"T","reconnect":false,"v1":false}}
                    """))
        let stream = SocketRequest(
            jobId: Self.job, token: nil, reconnect: true, since: 17, v1: true, isOneWay: true, followsResults: true)
        #expect(
            try WireForm.of(stream)
                == WireForm.line(
                    """
                    {"jobId":"job-under-test","reconnect":true,"since":17,"v1":true,"isOneWay":true,
                    "followsResults":true}
                    """))
    }

    @Test(
        "a socket request from the previous version, without the members for event streams and followed results, can be decoded"
    )
    func olderRequest() throws {
        let text = #"{"jobId":"job-under-test","reconnect":false,"v1":false}"#
        let request = try WireForm.read(SocketRequest.self, text)
        #expect(request.isOneWay == nil)
        #expect(request.followsResults == nil)
        #expect(request.isOperator == nil)
        #expect(
            try WireForm.requiredMembers(of: SocketRequest.self, in: text) == ["jobId", "reconnect", "v1"])
    }

    @Test("an operator's stream is marked as such and has no token")
    func operatorStream() throws {
        var request = SocketRequest(
            jobId: Self.job, token: nil, reconnect: false, since: nil, v1: false, isOneWay: true)
        request.isOperator = true
        #expect(
            try WireForm.of(request)
                == WireForm.line(
                    """
                    {"jobId":"job-under-test","reconnect":false,"v1":false,"isOneWay":true,"isOperator":true}
                    """))
    }

    @Test("a socket's number is encoded as a plain number up to the maximum")
    func numbers() throws {
        #expect(try WireForm.of([SocketID(0), SocketID(.max)]) == "[0,18446744073709551615]")
        #expect(try WireForm.read(SocketID.self, "18446744073709551615") == SocketID(.max))
        for text in ["-1", "\"7\"", "1.5", "18446744073709551616"] {
            #expect(throws: DecodingError.self, "\(text)") { try WireForm.read(SocketID.self, text) }
        }
    }

    @Test("the response to sockets.open contains the token's number, the position, and whether the job is over")
    func opened() throws {
        #expect(try WireForm.of(OpenSocket.Result(tokenNumber: nil)) == "{}")
        #expect(
            try WireForm.of(OpenSocket.Result(tokenNumber: 5, replaysAfter: 17, isOver: true))
                == #"{"tokenNumber":5,"replaysAfter":17,"isOver":true}"#)
    }

    @Test("sockets that outlive a restart of progress-host are resumed from their last position")
    func resume() throws {
        #expect(ResumeSockets.name == "sockets.resume")
        let socket = ResumeSockets.LiveSocket(
            socket: SocketID(7), jobId: Self.job, tokenNumber: 5, lastSeq: 17, begun: true, v1: false,
            reconnect: false, since: nil, isOneWay: true)
        #expect(
            try WireForm.of(ResumeSockets.Parameters(sockets: [socket]))
                == WireForm.line(
                    """
                    {"sockets":[{"socket":7,"jobId":"job-under-test","tokenNumber":5,"lastSeq":17,"begun":true,
                    "v1":false,"reconnect":false,"isOneWay":true}]}
                    """))
    }

    @Test("notifications about a socket contain its number")
    func notices() throws {
        #expect(SocketAlive.name == "sockets.alive")
        #expect(SocketCaughtUp.name == "sockets.caughtUp")
        #expect(SocketClosed.name == "sockets.closed")
        #expect(SocketSpeaksV1.name == "sockets.speaksV1")
        #expect(try WireForm.of(SocketNotice(socket: SocketID(7))) == #"{"socket":7}"#)
        #expect(SocketMessage.name == "sockets.message")
        #expect(
            try WireForm.of(SocketMessage.Parameters(socket: SocketID(7), text: #"{"type":"ready"}"#))
                == #"{"socket":7,"text":"{\"type\":\"ready\"}"}"#)
    }

    @Test("a request to close sockets contains a code and a reason")
    func close() throws {
        #expect(CloseSockets.name == "sockets.close")
        let text = #"{"sockets":[7,8],"code":1012,"reason":"restarting"}"#
        #expect(
            try WireForm.of(
                CloseSockets.Parameters(
                    sockets: [SocketID(7), SocketID(8)], code: .serviceRestart, reason: "restarting")) == text)
        #expect(try WireForm.read(CloseSockets.Parameters.self, text).code == .serviceRestart)
    }

    @Test("a delivery contains the frame exactly as the client receives it")
    func delivery() {
        let delivery = SocketDelivery(
            sockets: [SocketID(7), SocketID(8)], kind: .readyAck, seq: 3, frame: ByteBuffer(string: #"{"type":"x"}"#))
        #expect(
            String(buffer: delivery.raw) == #"{"sockets":[7,8],"kind":"ready_ack","seq":3,"frame":{"type":"x"}}"#)
        #expect(
            SocketDelivery.Kind.allCases.map(\.rawValue) == [
                "event", "progress", "replayed", "page", "terminal", "reconnected", "ready_ack", "control", "ping",
                "text",
            ])
    }

    @Test(
        "a malformed delivery is rejected, or its frame is incomplete",
        arguments: [
            #"{"sockets":[7],"kind":"shout","seq":3,"frame":{}}"#,
            #"{"sockets":[-7],"kind":"ping","seq":3,"frame":{}}"#,
            #"{"sockets":[7],"kind":"ping","seq":x,"frame":{}}"#, #"{"kind":"ping","sockets":[7],"seq":3,"frame":{}}"#,
            #"{"sockets":[7],"kind":"ping","seq":3,"frame":"#, #"{"sockets":[7],"kind":"ping","seq":3,"frame":{}"#,
        ])
    func wrongDelivery(text: String) {
        // If the delivery's closing brace is missing, the frame's is taken for it.
        let read = SocketDelivery(raw: ByteBuffer(string: text))
        #expect(read.map { String(buffer: $0.frame) } != "{}")
    }

    @Test("a search request contains its query, the form of its results and its client")
    func search() throws {
        #expect(SearchBooks.name == "search.books")
        var query = SearchQuery(.advanced, isbn: "i", title: "t", author: "a", limit: 20, offset: 40, order: .newest)
        query.isExplained = true
        let parameters = SearchBooks.Parameters(.init(query: query, shape: .contract), client: "c")
        let text = WireForm.line(
            """
            {"query":{"kind":"advanced","isbn":"i","title":"t","author":"a","limit":20,"offset":40,"order":"newest",
            "isExplained":true},"shape":"contract","client":"c"}
            """)
        #expect(try WireForm.of(parameters) == text)
        #expect(try WireForm.read(SearchBooks.Parameters.self, text) == parameters)
        #expect(parameters.question.query == query)
        #expect(
            try WireForm.of(SearchQuery(.isbn, isbn: "9780441172719", limit: 1))
                == #"{"kind":"isbn","isbn":"9780441172719","limit":1,"offset":0}"#)
    }

    @Test("searches that differ only in the client are equal, so they can share a response")
    func sharedQuestions() {
        let query = SearchQuery(.title, title: "Dune", limit: 20)
        let one = SearchBooks.Parameters(.init(query: query, shape: .contract), client: "a")
        let other = SearchBooks.Parameters(.init(query: query, shape: .contract), client: "b")
        #expect(one.question == other.question)
        #expect(one.question != SearchBooks.Question(query: query, shape: .volumes))
    }

    @Test("a search response consists of its head and its data")
    func answer() throws {
        let answer = SearchAnswer(
            head: .init(
                provider: "openlibrary", ageSeconds: 5, freshSeconds: 21_600, isStale: false,
                providers: [ProviderReport(provider: .isbndb, outcome: .error, durationMs: 3)]),
            data: ByteBuffer(string: #"{"works":[]}"#))
        let text = WireForm.line(
            """
            [{"provider":"openlibrary","ageSeconds":5,"freshSeconds":21600,"isStale":false,
            "providers":[{"provider":"isbndb","outcome":"error","durationMs":3}]},{"works":[]}]
            """)
        #expect(String(buffer: try answer.raw()) == text)
        #expect(SearchAnswer(raw: ByteBuffer(string: text)) == answer)
    }

    @Test(
        "a malformed search response is rejected",
        arguments: [
            "", "[]", "[{}]", "[{},{}]", #"[{"provider":"none","freshSeconds":0,"isStale":false}]"#,
            #"[{"provider":"none","freshSeconds":0,"isStale":false},{},{}]"#, #"{"provider":"none"}"#,
        ])
    func wrongAnswer(text: String) {
        #expect(SearchAnswer(raw: ByteBuffer(string: text)) == nil)
    }
}
