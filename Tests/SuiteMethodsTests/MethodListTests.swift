import SuiteMethods
import Testing

@Suite("The list of methods")
struct MethodListTests {
    @Test("method names are unique, and every call has a deadline of at most 60 s")
    func shape() {
        #expect(Set(MethodList.all.map(\.name)).count == MethodList.all.count)
        for entry in MethodList.all {
            #expect(!entry.answeredBy.isEmpty)
            #expect((entry.isIdempotent == nil) == (entry.deadline == nil))
            guard let deadline = entry.deadline else { continue }
            #expect(deadline > .zero)
            #expect(deadline <= .seconds(60))
        }
    }

    @Test("the documented v1 methods are handled by the documented services")
    func documented() {
        #expect(MethodList.names(answeredBy: .progressHost).contains("pushProgress"))
        #expect(MethodList.names(answeredBy: .progressHost).contains("closeConnection"))
        #expect(MethodList.names(answeredBy: .apiProxy).contains("pushJobProgress"))
        #expect(MethodList.names(answeredBy: .apiProxy).contains("closeJobConnection"))
        #expect(MethodList.names(answeredBy: .enrichmentWorker).contains("enrichBatch"))
    }

    @Test("methods that must not be repeated are marked")
    func idempotence() {
        let once = MethodList.all.filter { $0.isIdempotent == false }.map(\.name)
        #expect(
            once == [
                "audit.record", "imports.claim", "jobs.draft", "jobs.draftItems", "jobs.operate", "jobs.submit",
                "providers.operate", "scans.claim", "sockets.open",
                "tokens.refresh", "webhooks.claim", "work.claim",
            ])
    }
}
