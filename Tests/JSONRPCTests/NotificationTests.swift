import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import JSONRPC

@Suite("Incoming notifications, frame by frame", .timeLimit(.minutes(1)))
struct NotificationTests {
    @Test("notifications reach their handlers in order of arrival and are not answered")
    func order() async throws {
        let seen = NIOLockedValueBox<[String]>([])
        var router = RPCRouter()
        router.on(Count.self) { parameters, _ in seen.withLockedValue { $0.append("\(parameters.value)") } }
        router.onRaw("raw") { body, _ in seen.withLockedValue { $0.append(String(buffer: body)) } }
        let scripted = try await ScriptedConnection(router)
        try await scripted.receive(
            #"{"jsonrpc":"2.0","method":"test.count","params":{"value":1}}"# + "\n"
                + #"{"jsonrpc":"2.0","method":"raw","params":{ "a":"\u00e9" }}"# + "\n"
                + #"{"jsonrpc":"2.0","method":"test.count","params":{"value":2}}"#)
        #expect(seen.withLockedValue { $0 } == ["1", #"{ "a":"\u00e9" }"#, "2"])
        #expect(try await scripted.sentNow() == nil)
    }

    @Test(
        "unknown, malformed and optional notifications, and a ping without an id, are ignored",
        arguments: [
            #"{"jsonrpc":"2.0","method":"none"}"#, #"{"jsonrpc":"2.0","method":"$/progress","params":{}}"#,
            #"{"jsonrpc":"2.0","method":"test.count","params":{"value":"x"}}"#,
            #"{"jsonrpc":"2.0","method":"rpc.ping"}"#,
        ])
    func passedOver(notification: String) async throws {
        var router = RPCRouter()
        router.on(Count.self) { _, _ in Issue.record("a malformed notification was handled") }
        let scripted = try await ScriptedConnection(router)
        try await scripted.receive(notification)
        #expect(try await scripted.sentNow() == nil)
        #expect(await !scripted.isClosed)
    }

    @Test("a notification that names a request method runs that method's handler and is not answered")
    func requestWithoutID() async throws {
        let gate = Gate()
        var router = RPCRouter()
        router.handleRaw("push") { body, _ in
            await gate.pass()
            return body
        }
        let scripted = try await ScriptedConnection(router)
        gate.open()
        try await scripted.receive(#"{"jsonrpc":"2.0","method":"push","params":{}}"#)
        await gate.waitForArrivals(1)
        try await scripted.receive(#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"#)
        #expect(try await scripted.sent() == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    }

    @Test("messages sent while handling a single read are written together")
    func coalesced() async throws {
        var router = RPCRouter()
        router.onRaw("burst") { _, connection in
            for number in 1...3 { connection.notify(Count.self, .init(value: number)) }
        }
        let scripted = try await ScriptedConnection(router)
        try await scripted.receive(#"{"jsonrpc":"2.0","method":"burst"}"#)
        let written = try await scripted.sent()
        #expect(written.split(separator: "\n").count == 3)
    }
}
