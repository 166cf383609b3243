import NIOCore
import Testing
@testable import JSONRPC

@Suite("Outgoing calls, frame by frame", .timeLimit(.minutes(1)))
struct OutgoingCallTests {
    private let empty = ByteBuffer(string: "{}")

    @Test("a result reaches its caller unchanged")
    func result() async throws {
        let scripted = try await ScriptedConnection()
        async let result = scripted.connection.callRaw("m", ByteBuffer(string: #"{"x":1}"#), deadline: .seconds(5))
        #expect(
            try await scripted.sent() == #"{"jsonrpc":"2.0","id":1,"method":"m","deadlineMs":5000,"params":{"x":1}}"#)
        try await scripted.receive(#"{"result": [1.50, "\u00e9"] ,"id":1,"jsonrpc":"2.0"}"#)
        #expect(String(buffer: try await result) == #"[1.50, "\u00e9"]"#)
    }

    @Test("a response may arrive byte by byte")
    func byteByByte() async throws {
        let scripted = try await ScriptedConnection()
        async let result = scripted.connection.callRaw("m", empty, deadline: .seconds(5))
        _ = try await scripted.sent()
        for byte in #"{"jsonrpc":"2.0","id":1,"result":"ž"}"#.utf8 + [UInt8(ascii: "\n")] {
            try await scripted.receive(bytes: ByteBuffer(bytes: [byte]))
        }
        #expect(String(buffer: try await result) == "\"ž\"")
    }

    @Test("an application error contains its code, details and retry time")
    func applicationError() async throws {
        let scripted = try await ScriptedConnection()
        async let outcome = outcome(of: scripted.connection)
        _ = try await scripted.sent()
        try await scripted.receive(
            #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"busy","data":{"code":"UNAVAILABLE","#
                + #""details":{"a":[1]},"retryAfterSeconds":7}}}"#)
        let error = await outcome
        #expect(error?.applicationCode == "UNAVAILABLE")
        #expect(error?.details == ByteBuffer(string: #"{"a":[1]}"#))
        #expect(error?.retryAfterSeconds == 7)
    }

    @Test("a call ends at its deadline, the peer is notified, and a late response is not an error")
    func deadline() async throws {
        let scripted = try await ScriptedConnection()
        async let outcome = outcome(of: scripted.connection, deadline: .seconds(2))
        _ = try await scripted.sent()
        await scripted.advance(by: .milliseconds(1_999))
        #expect(try await scripted.sentNow() == nil)
        await scripted.advance(by: .milliseconds(1))
        #expect(await outcome == .deadlineExceeded)
        #expect(try await scripted.sent() == #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        try await expectAlive(scripted, nextID: 2)
    }

    @Test("each call has its own deadline")
    func deadlines() async throws {
        let scripted = try await ScriptedConnection()
        async let long = outcome(of: scripted.connection, deadline: .seconds(9))
        _ = try await scripted.sent()
        async let short = outcome(of: scripted.connection, deadline: .seconds(1))
        _ = try await scripted.sent()
        await scripted.advance(by: .seconds(1))
        #expect(await short == .deadlineExceeded)
        _ = try await scripted.sent()
        await scripted.advance(by: .seconds(8))
        #expect(await long == .deadlineExceeded)
    }

    @Test("cancelling the task ends the call and notifies the peer")
    func cancel() async throws {
        let scripted = try await ScriptedConnection()
        let task = Task { await outcome(of: scripted.connection) }
        _ = try await scripted.sent()
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(try await scripted.sent() == #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
    }

    @Test("a call from a task that is already cancelled does not wait")
    func cancelledBefore() async throws {
        let scripted = try await ScriptedConnection()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await outcome(of: scripted.connection)
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("duplicate responses and responses with an unknown id of any type are ignored")
    func unknownIDs() async throws {
        let scripted = try await ScriptedConnection()
        async let result = scripted.connection.callRaw("m", empty, deadline: .seconds(5))
        _ = try await scripted.sent()
        for id in ["99", "\"1\"", "1.0", "1e0", "-1", "18446744073709551617"] {
            try await scripted.receive(#"{"jsonrpc":"2.0","id":\#(id),"result":"wrong"}"#)
        }
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"result":"first"}"#)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"result":"second"}"#)
        #expect(String(buffer: try await result) == "\"first\"")
        try await expectAlive(scripted, nextID: 2)
    }

    @Test(
        "a malformed response fails the call but not the connection",
        arguments: [
            #"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}"#,
            #"{"jsonrpc":"2.0","id":1,"error":{"message":"no code"}}"#, #"{"id":1,"result":1}"#,
        ])
    func brokenAnswer(answer: String) async throws {
        let scripted = try await ScriptedConnection()
        async let outcome = outcome(of: scripted.connection)
        _ = try await scripted.sent()
        try await scripted.receive(answer)
        guard case .protocolViolation = await outcome?.kind else {
            Issue.record("the call did not fail with a protocol violation")
            return
        }
        try await expectAlive(scripted, nextID: 2)
    }

    @Test("calls in flight fail with connectionLost when the connection is lost, and later calls fail immediately")
    func connectionLost() async throws {
        let scripted = try await ScriptedConnection()
        async let outcome = outcome(of: scripted.connection)
        _ = try await scripted.sent()
        try await scripted.channel.close()
        #expect(await outcome == .connectionLost)
        #expect(await self.outcome(of: scripted.connection) == .connectionLost)
        #expect(!scripted.connection.notifyRaw("n", empty))
    }

    @Test(
        "calls beyond the limit on calls in flight are refused, and calls are accepted again when a call in flight ends"
    )
    func overloaded() async throws {
        var limits = RPCLimits()
        limits.maximumInFlightOutbound = 1
        let scripted = try await ScriptedConnection(limits: limits)
        async let first = outcome(of: scripted.connection)
        _ = try await scripted.sent()
        #expect(await outcome(of: scripted.connection) == .overloaded)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        #expect(await first == nil)
        try await expectAlive(scripted, nextID: 3)
    }

    @Test("a call that the peer refuses as overloaded fails like a call refused locally")
    func refusedAsOverloaded() async throws {
        let scripted = try await ScriptedConnection()
        async let outcome = outcome(of: scripted.connection)
        _ = try await scripted.sent()
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"overloaded"}}"#)
        #expect(await outcome == .overloaded)
    }

    @Test("parameters larger than the maximum frame size fail only their own call")
    func frameTooLarge() async throws {
        let scripted = try await ScriptedConnection()
        let large = ByteBuffer(string: "{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}")
        #expect(await outcome(of: scripted.connection, large) == .frameTooLarge)
        #expect(!scripted.connection.notifyRaw("n", large))
        try await expectAlive(scripted, nextID: 2)
    }

    private func outcome(
        of connection: RPCConnection, _ body: ByteBuffer = ByteBuffer(string: "{}"), deadline: Duration = .seconds(5)
    ) async -> RPCError? {
        do throws(RPCError) {
            _ = try await connection.callRaw("m", body, deadline: deadline)
            return nil
        } catch {
            return error
        }
    }

    /// Checks that another call still succeeds.
    private func expectAlive(_ scripted: ScriptedConnection, nextID: Int) async throws {
        async let result = scripted.connection.callRaw("alive", empty, deadline: .seconds(5))
        #expect(try await scripted.sent().contains("\"id\":\(nextID),\"method\":\"alive\""))
        try await scripted.receive(#"{"jsonrpc":"2.0","id":\#(nextID),"result":true}"#)
        #expect(String(buffer: try await result) == "true")
    }
}

@Suite("Calls in flight")
struct PendingCallsTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test("a call can be removed only once")
    func once() {
        var calls = PendingCalls(maximum: 4)
        calls.add(1, deadline: Self.start) { _ in }
        #expect(calls.remove(1) != nil)
        #expect(calls.remove(1) == nil)
        #expect(calls.remove(2) == nil)
    }

    @Test("only calls whose deadline has passed expire")
    func expiry() {
        var calls = PendingCalls(maximum: 4)
        calls.add(1, deadline: Self.start + .seconds(1)) { _ in }
        calls.add(2, deadline: Self.start + .seconds(2)) { _ in }
        #expect(calls.earliestDeadline == Self.start + .seconds(1))
        #expect(calls.removeExpired(at: Self.start).isEmpty)
        #expect(calls.removeExpired(at: Self.start + .seconds(1)).map(\.id) == [1])
        #expect(calls.earliestDeadline == Self.start + .seconds(2))
    }

    @Test("the limit is reached exactly at the maximum number of calls")
    func bound() {
        var calls = PendingCalls(maximum: 2)
        calls.add(1, deadline: Self.start) { _ in }
        #expect(!calls.isFull)
        calls.add(2, deadline: Self.start) { _ in }
        #expect(calls.isFull)
        #expect(calls.removeAll().count == 2)
        #expect(calls.count == 0)
    }
}
