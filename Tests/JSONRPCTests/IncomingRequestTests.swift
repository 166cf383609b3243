import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import Observability
import Testing
@testable import JSONRPC

@Suite("Incoming requests, frame by frame", .timeLimit(.minutes(1)))
struct IncomingRequestTests {
    private struct Secret: Error {}

    /// A method with nested parameters.
    private enum Books: RPCMethod {
        struct Book: Codable, Sendable {
            var isbn: String
        }
        struct Parameters: Codable, Sendable {
            var books: [Book]
        }
        typealias Result = Nothing
        static let name = "books"
        static let isIdempotent = true
        static let deadline = Duration.seconds(3)
    }

    private var router: RPCRouter {
        var router = RPCRouter()
        router.handle(Echo.self) { parameters, _ in parameters }
        router.handleInline(InlineEcho.self) { parameters, _, reply in reply.succeed(parameters) }
        router.handle(Books.self) { _, _ in Nothing() }
        router.handleRaw("raw") { body, _ in body }
        router.handleRaw("secret") { _, _ in throw Secret() }
        router.handleRaw("missing") { _, _ in
            throw RPCApplicationError(
                code: "NOT_FOUND", message: "no job", details: ByteBuffer(string: #"{"jobId":"J"}"#),
                retryAfterSeconds: 3)
        }
        router.handleRaw("untilCancelled") { body, _ in
            try await Task.sleep(for: .seconds(3_600))
            return body
        }
        return router
    }

    private func answer(to line: String, _ router: RPCRouter? = nil) async throws -> String {
        let scripted = try await ScriptedConnection(router ?? self.router)
        try await scripted.receive(line)
        return try await scripted.sent()
    }

    @Test(
        "every request is answered under its own id",
        arguments: [
            (
                #"{"jsonrpc":"2.0","id":"a","method":"raw","params":{ "x" : 1.50 }}"#,
                #"{"jsonrpc":"2.0","id":"a","result":{ "x" : 1.50 }}"#
            ),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"raw","params":[1]}"#, #"{"jsonrpc":"2.0","id":1.5,"result":[1]}"#),
            (#"{"jsonrpc":"2.0","id":0,"method":"raw"}"#, #"{"jsonrpc":"2.0","id":0,"result":{}}"#),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"test.echo","params":{"text":"a/b"}}"#,
                #"{"jsonrpc":"2.0","id":1,"result":{"text":"a/b"}}"#
            ),
            (
                #"{"jsonrpc":"2.0","id":2,"method":"test.inlineEcho","params":{"text":"x"}}"#,
                #"{"jsonrpc":"2.0","id":2,"result":{"text":"x"}}"#
            ),
            (
                #"{"jsonrpc":"2.0","id":3,"method":"books","params":{"books":[]}}"#,
                #"{"jsonrpc":"2.0","id":3,"result":{}}"#
            ),
            (#"{"jsonrpc":"2.0","id":4,"method":"rpc.ping"}"#, #"{"jsonrpc":"2.0","id":4,"result":{}}"#),
        ])
    func answers(request: String, expected: String) async throws {
        #expect(try await answer(to: request) == expected)
    }

    @Test(
        "each failure is answered with its error code",
        arguments: [
            (#"{"jsonrpc":"2.0","id":1,"method":"none"}"#, #"{"code":-32601,"message":"Method not found"}"#),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"books","params":{"books":[{"isbn":"1"},{"isbn":2}]}}"#,
                #"{"code":-32602,"message":"Invalid params at books[1].isbn: expected String"}"#
            ),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"books","params":{"books":[{}]}}"#,
                #"{"code":-32602,"message":"Invalid params at books[0]: isbn is missing"}"#
            ),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"test.inlineEcho"}"#,
                #"{"code":-32602,"message":"Invalid params: text is missing"}"#
            ),
            (#"{"jsonrpc":"2.0","id":1,"method":"secret"}"#, #"{"code":-32603,"message":"internal error"}"#),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"missing"}"#,
                #"{"code":-32000,"message":"no job","data":{"code":"NOT_FOUND","details":{"jobId":"J"},"retryAfterSeconds":3}}"#
            ),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"raw","params":5}"#,
                #"{"code":-32600,"message":"Invalid request: params must be an object or an array"}"#
            ),
        ])
    func failures(request: String, error: String) async throws {
        #expect(try await answer(to: request) == #"{"jsonrpc":"2.0","id":1,"error":\#(error)}"#)
    }

    @Test(
        "a frame that is not a JSON object is answered with an error, and the connection closes",
        arguments: [
            (Array(#"{"id":1"#.utf8), -32700), ([0x22, 0xFF, 0x22], -32700), (Array("hello".utf8), -32700),
            (Array(#"[{"jsonrpc":"2.0","id":1,"method":"raw"}]"#.utf8), -32600), (Array("5".utf8), -32600),
            (Array(#"{"a":""#.utf8) + [0xC0, 0x80] + Array(#""}"#.utf8), -32700),
            (Array(repeating: UInt8(ascii: "["), count: 100_000), -32700),
        ] as [([UInt8], Int)])
    func closesBehindNoise(frame: [UInt8], code: Int) async throws {
        let scripted = try await ScriptedConnection(router)
        let request = #"{"jsonrpc":"2.0","id":1,"method":"raw"}"# + "\n"
        try await scripted.receive(bytes: ByteBuffer(bytes: frame + [UInt8(ascii: "\n")] + Array(request.utf8)))
        let answer = try await scripted.sent()
        #expect(answer.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":\#(code),"#))
        #expect(await scripted.isClosed)
        #expect(try await scripted.sentNow() == nil)
    }

    @Test("a frame that is too long is answered with an error before all of it has arrived, and the connection closes")
    func oversized() async throws {
        var limits = RPCLimits()
        limits.maximumFrameBytes = 256
        let scripted = try await ScriptedConnection(router, limits: limits)
        try await scripted.receive(bytes: ByteBuffer(string: String(repeating: "x", count: 257)))
        #expect(try await scripted.sent().contains("\"code\":-32700"))
        #expect(await scripted.isClosed)
    }

    @Test("an object that is not a request is answered with an error, and the connection stays open")
    func invalidRequest() async throws {
        let scripted = try await ScriptedConnection(router)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":null,"method":"raw"}"#)
        #expect(try await scripted.sent().hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"#))
        try await scripted.receive(#"{"jsonrpc":"2.0","id":2,"method":"raw"}"#)
        #expect(try await scripted.sent() == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
    }

    @Test("concatenated requests with empty lines between them are all answered")
    func glued() async throws {
        let scripted = try await ScriptedConnection(router)
        let lines = (1...3).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"rpc.ping"}"# }
        try await scripted.receive("\n" + lines.joined(separator: "\n\r\n"))
        let answers = (1...3).map { #"{"jsonrpc":"2.0","id":\#($0),"result":{}}"# }
        #expect(try await scripted.sent() == answers.joined(separator: "\n"))
    }

    @Test("a cancellation ends the handler, and a late or meaningless cancellation is not an error")
    func cancel() async throws {
        let scripted = try await ScriptedConnection(router)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":"x","method":"untilCancelled"}"#)
        for id in ["\"x\"", "\"x\"", "77", "null", "{}"] {
            try await scripted.receive(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"#)
        }
        #expect(
            try await scripted.sent()
                == #"{"jsonrpc":"2.0","id":"x","error":{"code":-32800,"message":"request cancelled"}}"#)
        try await scripted.receive(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"x"}}"#)
        try await scripted.receive(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":[]}"#)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":2,"method":"raw"}"#)
        #expect(try await scripted.sent() == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
    }

    @Test("a handler ends at its caller's deadline")
    func deadline() async throws {
        let scripted = try await ScriptedConnection(router)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"method":"untilCancelled","deadlineMs":250}"#)
        await scripted.advance(by: .milliseconds(249))
        #expect(try await scripted.sentNow() == nil)
        await scripted.advance(by: .milliseconds(1))
        #expect(
            try await scripted.sent()
                == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"deadline exceeded"}}"#)
    }

    @Test("a request without a deadline has the default deadline")
    func defaultDeadline() async throws {
        let scripted = try await ScriptedConnection(router)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"method":"untilCancelled"}"#)
        await scripted.advance(by: .seconds(30))
        #expect(try await scripted.sent().contains("-32001"))
    }

    @Test("handlers end when their connection ends")
    func closing() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        var router = RPCRouter()
        router.handleRaw("wait") { body, _ in
            do {
                try await Task.sleep(for: .seconds(3_600))
            } catch {
                continuation.yield(Task.isCancelled)
            }
            return body
        }
        let scripted = try await ScriptedConnection(router)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"method":"wait"}"#)
        try await scripted.channel.close()
        #expect(await stream.first { _ in true } == true)
    }

    @Test("at the limit of requests in flight, nothing is read until a handler ends")
    func bound() async throws {
        let gate = Gate()
        var router = RPCRouter()
        router.handleRaw("hold") { body, _ in
            await gate.pass()
            return body
        }
        var limits = RPCLimits()
        limits.maximumInFlightInbound = 2
        let scripted = try await ScriptedConnection(router, limits: limits)
        let requests = (1...5).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"hold"}"# }
        try await scripted.receive(requests.joined(separator: "\n"))
        await gate.waitForArrivals(2)
        #expect(scripted.connection.state.withLockedValue { $0.requests.count } == 2)
        gate.releaseOne()
        #expect(try await scripted.sent().contains("\"result\""))
        await gate.waitForArrivals(3)
        #expect(scripted.connection.state.withLockedValue { $0.requests.count } == 2)
        gate.open()
        await gate.waitForArrivals(5)
    }

    @Test("a request with an id that is still in use is refused")
    func duplicateID() async throws {
        let scripted = try await ScriptedConnection(router)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"method":"untilCancelled"}"#)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"method":"raw"}"#)
        #expect(try await scripted.sent().contains("\"code\":-32600"))
    }

    @Test("an inline handler can reply only once, and a request whose reply is dropped is answered with -32603")
    func replies() async throws {
        var router = RPCRouter()
        router.handleInline(InlineEcho.self) { parameters, _, reply in
            guard parameters.text != "drop" else { return }
            reply.succeed(parameters)
            reply.succeed(.init(text: "again"))
            reply.fail(Secret())
        }
        let scripted = try await ScriptedConnection(router)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"method":"test.inlineEcho","params":{"text":"once"}}"#)
        #expect(try await scripted.sent() == #"{"jsonrpc":"2.0","id":1,"result":{"text":"once"}}"#)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":2,"method":"test.inlineEcho","params":{"text":"drop"}}"#)
        #expect(
            try await scripted.sent() == #"{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"internal error"}}"#
        )
    }

    @Test(
        "an inline handler can tell that its caller is no longer waiting after a cancellation, the deadline, a reply or a lost connection",
        arguments: [WhyNobodyWaits.cancel, .deadline, .end, .answer])
    func stillAwaited(why: WhyNobodyWaits) async throws {
        let replies = NIOLockedValueBox<[RPCReply<InlineEcho.Result>]>([])
        var router = RPCRouter()
        router.handleInline(InlineEcho.self) { _, _, reply in replies.withLockedValue { $0.append(reply) } }
        let scripted = try await ScriptedConnection(router)
        for id in 1...2 {
            try await scripted.receive(
                #"{"jsonrpc":"2.0","id":\#(id),"method":"test.inlineEcho","deadlineMs":\#(id)000,"params":{"text":"x"}}"#
            )
        }
        let (first, second) = replies.withLockedValue { ($0[0], $0[1]) }
        #expect(first.isAwaited)
        #expect(second.isAwaited)
        switch why {
        case .cancel:
            try await scripted.receive(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
        case .deadline: await scripted.advance(by: .seconds(1))
        case .end: _ = try await scripted.channel.finish()
        case .answer: first.succeed(.init(text: "x"))
        }
        #expect(!first.isAwaited)
        #expect(second.isAwaited == (why != .end))
    }

    enum WhyNobodyWaits { case cancel, deadline, end, answer }

    @Test("a result larger than the maximum frame size is answered with an internal error")
    func largeResult() async throws {
        var router = RPCRouter()
        router.handleRaw("large") { _, _ in ByteBuffer(string: "\"" + String(repeating: "x", count: 1 << 20) + "\"") }
        #expect(
            try await answer(to: #"{"jsonrpc":"2.0","id":1,"method":"large"}"#, router)
                == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"result too large"}}"#)
    }

    @Test("an error that is larger than the maximum frame size is answered with an internal error")
    func largeError() async throws {
        var router = RPCRouter()
        router.handleRaw("large") { _, _ in
            let details = "{\"text\":\"" + String(repeating: "x", count: 1 << 20) + "\"}"
            throw RPCApplicationError(code: "LARGE", message: "large", details: ByteBuffer(string: details))
        }
        #expect(
            try await answer(to: #"{"jsonrpc":"2.0","id":1,"method":"large"}"#, router)
                == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"error too large"}}"#)
    }

    @Test("if a handler's own call is refused as overloaded, the handler's caller receives that error")
    func passesOverloadOn() async throws {
        var router = RPCRouter()
        router.handleRaw("forward") { _, _ in throw RPCError.overloaded }
        #expect(
            try await answer(to: #"{"jsonrpc":"2.0","id":1,"method":"forward"}"#, router)
                == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"overloaded"}}"#)
    }

    @Test("a paced request is never started if its caller stops waiting before its turn")
    func pacedGivenUp() async throws {
        let gate = Gate()
        var router = RPCRouter()
        router.handlePaced("page", answerBytes: 1 << 20) { body, _ in
            await gate.pass()
            return body
        }
        let scripted = try await ScriptedConnection(router)
        for id in 1...3 { try await scripted.receive(#"{"jsonrpc":"2.0","id":\#(id),"method":"page"}"#) }
        await gate.waitForArrivals(1)
        try await scripted.receive(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}"#)
        gate.open()
        var answers = ""
        while !answers.contains(#""id":3"#) { answers += try await scripted.sent() }
        #expect(answers.contains(#""id":2,"error":{"code":-32800"#))
        #expect(answers.contains(#""id":3,"result""#))
        #expect(gate.arrived == 2)
    }

    @Test("a paced request whose deadline passes before its turn gets a deadline error, even before its timer fires")
    func pacedExpired() async throws {
        let gate = Gate()
        var router = RPCRouter()
        router.handlePaced("page", answerBytes: 1 << 20) { body, _ in
            await gate.pass()
            return body
        }
        let scripted = try await ScriptedConnection(router)
        let (loop, connection) = (scripted.channel.testingEventLoop, scripted.connection)
        // At the time of the second request's deadline, this comes before its timer, because it was scheduled first.
        loop.scheduleTask(deadline: loop.now + .seconds(1)) {
            connection.finish(1, .success(ByteBuffer(string: "{}")))
            connection.startPacedRequests()
        }
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"method":"page"}"#)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":2,"method":"page","deadlineMs":1000}"#)
        await gate.waitForArrivals(1)
        await scripted.advance(by: .seconds(1))
        var answers = ""
        while !answers.contains(#""id":2"#) { answers += try await scripted.sent() }
        #expect(answers.contains(#""id":2,"error":{"code":-32001"#))
        #expect(gate.arrived == 1)
        gate.open()
    }

    @Test("an application error from a handler's own call is passed through")
    func passesThrough() async throws {
        var router = RPCRouter()
        router.handleRaw("forward") { _, _ in
            throw RPCError(
                .remote(code: -32000, message: "gone", data: RPCErrorDetail(code: "GONE", retryAfterSeconds: 1)))
        }
        #expect(
            try await answer(to: #"{"jsonrpc":"2.0","id":1,"method":"forward"}"#, router)
                == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"gone","data":{"code":"GONE","retryAfterSeconds":1}}}"#
        )
    }
}

@Suite("Requests in progress")
struct InboundRequestsTests {
    private static let call = InboundCall(method: "m", activity: Activity(TraceContext()))
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test("an id is refused while it is in use, and accepted again afterwards")
    func duplicateID() throws {
        var requests = InboundRequests(maximum: 4)
        let begun = requests.begin(.integer(1), Self.call, deadline: Self.start)
        let first = try #require(begun)
        #expect(requests.begin(.integer(1), Self.call, deadline: Self.start) == nil)
        #expect(requests.begin(.text("1"), Self.call, deadline: Self.start) != nil)
        #expect(requests.end(first)?.id == .integer(1))
        #expect(requests.end(first) == nil)
        #expect(requests.begin(.integer(1), Self.call, deadline: Self.start) != nil)
    }

    @Test("a task that outlives its deadline is cancelled once, and counts toward the limit until it ends")
    func expiry() throws {
        var requests = InboundRequests(maximum: 1)
        let begun = requests.begin(.integer(1), Self.call, deadline: Self.start)
        let serial = try #require(begun)
        let task = Task {}
        requests.attach(task, to: serial)
        #expect(requests.expire(at: Self.start) == [task])
        #expect(requests.expire(at: Self.start).isEmpty)
        #expect(requests.earliestDeadline == nil)
        #expect(requests.isFull)
        #expect(requests.end(serial)?.hasExpired == true)
        #expect(!requests.isFull)
    }

    @Test("a cancellation finds the task of the request with the given id, and a late cancellation finds none")
    func cancel() throws {
        var requests = InboundRequests(maximum: 4)
        let begun = requests.begin(.integer(1), Self.call, deadline: Self.start)
        let serial = try #require(begun)
        let task = Task {}
        requests.attach(task, to: serial)
        let cancelled = requests.cancel(.integer(1))
        #expect(cancelled.isKnown)
        #expect(cancelled.task == task)
        _ = requests.end(serial)
        let late = requests.cancel(.integer(1))
        #expect(!late.isKnown)
        #expect(late.task == nil)
    }
}
