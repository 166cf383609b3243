import JSONRPC
import NIOCore
import Observability
import TestSupport
import Testing

@Suite("Request observers", .timeLimit(.minutes(1)))
struct ObserverTests {
    private struct Fault: Error {}

    private struct Recorder: RPCObserver {
        let seen = Inbox<AnsweredRequest>()

        func answered(_ request: AnsweredRequest) { seen.append(request) }
    }

    /// Serves `Echo` with `body`, and records what the observer receives.
    private func observing(
        _ body: @escaping @Sendable (Echo.Text) async throws -> Echo.Text,
        _ calls: (Pair) async throws -> Void
    ) async throws -> AnsweredRequest {
        let recorder = Recorder()
        var serving = RPCRouter()
        serving.observe(with: recorder)
        serving.handle(Echo.self) { parameters, _ in try await body(parameters) }
        try await Pair.with(serving: serving, calls)
        return try await recorder.seen.take()
    }

    @Test("an answered request is observed with the trace that it belongs to")
    func answered() async throws {
        let trace = TraceContext(requestID: "import-7")
        let request = try await observing { parameters in
            Activity.current?.concern(job: parameters.text)
            return parameters
        } _: { pair in
            try await Activity.$current.withValue(Activity(trace)) {
                _ = try await pair.client.call(Echo.self, .init(text: "job-1"))
            }
        }
        #expect(request.method == Echo.name)
        #expect(request.outcome == .succeeded)
        #expect(request.activity.trace == trace)
        #expect(request.activity.jobID == "job-1")
    }

    @Test("a refusal is observed with its code, and an internal error with its exception")
    func failures() async throws {
        let refused = try await observing { _ in
            throw RPCApplicationError(code: "NOT_FOUND", message: "no")
        } _: {
            _ = try? await $0.client.call(Echo.self, .init(text: ""))
        }
        #expect(refused.outcome == .refused(code: "NOT_FOUND"))
        let failed = try await observing { _ in
            throw Fault()
        } _: {
            _ = try? await $0.client.call(Echo.self, .init(text: ""))
        }
        #expect(failed.outcome == .failed)
        #expect(failed.activity.noted.exceptions.map(\.name) == ["Fault"])
    }

    @Test("a request for an unknown method is observed")
    func unknown() async throws {
        let recorder = Recorder()
        var serving = RPCRouter()
        serving.observe(with: recorder)
        try await Pair.with(serving: serving) { _ = try? await $0.client.call(Echo.self, .init(text: "")) }
        let request = try await recorder.seen.take()
        #expect(request.method == Echo.name)
        #expect(request.outcome == .refused(code: "\(RPCErrorCode.methodNotFound)"))
    }

    /// Serves a call that does not end by itself, and returns what the observer receives after `leave` has cancelled the
    /// call or closed its connection.
    private func leaving(_ leave: (Pair, Task<Echo.Text, any Error>) -> Void) async throws -> AnsweredRequest {
        let gate = Inbox<Void>()
        return try await observing { parameters in
            gate.append(())
            try await Task.sleep(for: .seconds(30))
            return parameters
        } _: { pair in
            let call = Task { try await pair.client.call(Echo.self, .init(text: "")) }
            try await gate.take()
            leave(pair, call)
            _ = await call.result
        }
    }

    @Test("a call whose connection ends is observed as abandoned")
    func gone() async throws {
        let abandoned = try await leaving { pair, _ in pair.client.connection?.close() }
        #expect(abandoned.outcome == .abandoned)
    }

    @Test("a cancelled call is observed as abandoned")
    func cancelled() async throws {
        let abandoned = try await leaving { _, call in call.cancel() }
        #expect(abandoned.outcome == .abandoned)
    }

    @Test("a request that reuses a pending request's id is observed as refused, and the pending request as answered")
    func duplicate() async throws {
        let recorder = Recorder()
        let gate = Inbox<Void>()
        var serving = RPCRouter()
        serving.observe(with: recorder)
        serving.handle(Echo.self) { parameters, _ in
            try await gate.take()
            return parameters
        }
        let directory = try SocketDirectory()
        let server = try await RPCServer.listening(in: directory, serving)
        let peer = try await RawPeer.connect(to: directory.socket)
        let request = #"{"jsonrpc":"2.0","id":1,"method":"\#(Echo.name)","params":{"text":"a"}}"# + "\n"
        peer.send(request + request)
        _ = await peer.lines(1)
        #expect(try await recorder.seen.take().outcome == .refused(code: "\(RPCErrorCode.invalidRequest)"))
        gate.append(())
        #expect(try await recorder.seen.take().outcome == .succeeded)
        await peer.close()
        await server.shutdown()
    }
}
