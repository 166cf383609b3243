import JSONRPC
import NIOCore
import TestSupport
import Testing

@Suite("Closing and cancelling while calls are in flight", .timeLimit(.minutes(1)))
struct CloseRaceTests {
    /// One end closes the connection during concurrent calls, so the events may interleave as follows:
    ///
    ///     caller                    closer
    ///     call n is queued
    ///                               close
    ///     call n+1 finds it closed
    ///     response to n arrives, or not
    @Test(
        "every call ends with its response or with connectionLost, whichever end closes the connection",
        arguments: [true, false])
    func closeRace(serverCloses: Bool) async throws {
        for round in 0..<50 {
            let connections = Inbox<RPCConnection>()
            var serving = RPCRouter()
            serving.handle(Echo.self) { parameters, _ in parameters }
            try await Pair.with(serving: serving, onConnect: { connections.append($0) }) { pair in
                let client = try #require(pair.client.connection)
                let server = try await connections.take()
                await withTaskGroup(of: Bool.self) { group in
                    for number in 0..<40 {
                        group.addTask { await Self.endsWell(client, "\(number)") }
                        if number == round % 40 {
                            group.addTask {
                                (serverCloses ? server : client).close()
                                return true
                            }
                        }
                    }
                    for await endedWell in group { #expect(endedWell) }
                }
            }
        }
    }

    private static func endsWell(_ connection: RPCConnection, _ text: String) async -> Bool {
        do throws(RPCError) {
            return try await connection.call(Echo.self, .init(text: text)).text == text
        } catch {
            return error == .connectionLost
        }
    }

    @Test("a server that shuts down fails its clients' calls immediately")
    func shutdown() async throws {
        let gate = Gate()
        var serving = RPCRouter()
        serving.handleRaw("hold") { body, _ in
            await gate.pass()
            return body
        }
        try await Pair.with(serving: serving) { pair in
            let call = Task { () -> RPCError? in
                do throws(RPCError) {
                    _ = try await pair.client.callRaw("hold", ByteBuffer(string: "{}"), deadline: .seconds(600))
                    return nil
                } catch {
                    return error
                }
            }
            await gate.waitForArrivals(1)
            await pair.server.shutdown()
            #expect(await call.value == .connectionLost)
            gate.open()
        }
    }

    @Test("cancelling a caller cancels its handler at the other end")
    func cancelCrosses() async throws {
        let events = Inbox<String>()
        var serving = RPCRouter()
        serving.handleRaw("wait") { body, _ in
            events.append("began")
            try? await Task.sleep(for: .seconds(3_600))
            events.append(Task.isCancelled ? "cancelled" : "ended")
            return body
        }
        try await Pair.with(serving: serving) { pair in
            let call = Task { try await pair.client.callRaw("wait", ByteBuffer(string: "{}"), deadline: .seconds(600)) }
            let began = try await events.take()
            #expect(began == "began")
            call.cancel()
            let ended = try await events.take()
            #expect(ended == "cancelled")
            await #expect(throws: RPCError.cancelled) { try await call.value }
        }
    }
}
