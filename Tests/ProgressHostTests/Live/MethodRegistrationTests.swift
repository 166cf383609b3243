import JSONRPC
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Registered methods")
struct MethodRegistrationTests {
    @Test("the host answers exactly the methods of the list")
    func names() async throws {
        let live = try LiveHost()
        #expect(live.methods.router().methodNames == MethodList.names(answeredBy: .progressHost))
        await live.stop()
    }
}
