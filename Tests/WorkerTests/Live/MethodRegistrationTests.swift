import JSONRPC
import SuiteMethods
import Testing

@testable import EnrichmentWorker

@Suite("Methods of the worker", .timeLimit(.minutes(1)))
struct MethodRegistrationTests {
    @Test("the worker answers exactly the methods of the list")
    func names() async throws {
        try await WorkerRig.run { rig in
            let names = rig.methods().router().methodNames + Worker.router(rig.worker.held).methodNames
            #expect(names.sorted() == MethodList.names(answeredBy: .enrichmentWorker))
        }
    }
}
