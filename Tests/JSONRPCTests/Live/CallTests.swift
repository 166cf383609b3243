import JSONRPC
import NIOCore
import Testing

@Suite("Calls over a socket")
struct CallTests {
    @Test("a typed call returns what the handler returns")
    func typedCall() async throws {
        var router = RPCRouter()
        router.handle(Echo.self) { parameters, _ in parameters }
        router.handleInline(InlineEcho.self) { parameters, _, reply in reply.succeed(parameters) }
        try await Pair.with(serving: router) { pair in
            let echoed = try await pair.client.call(Echo.self, .init(text: "Dune"))
            #expect(echoed.text == "Dune")
            let inline = try await pair.client.call(InlineEcho.self, .init(text: "Žluť\n\""))
            #expect(inline.text == "Žluť\n\"")
        }
    }
}
