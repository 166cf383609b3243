import SuiteMethods
import Testing

/// The processes that handle each method, and how long its caller waits (Services/README.md "JSON-RPC"). A process of
/// the previous version uses the same names, and repeats a call only if that is harmless.
@Suite("The table of methods")
struct MethodTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let services: [ServiceName]
        let seconds: Int
        let repeats: Bool

        init(_ name: String, _ services: [ServiceName], _ seconds: Int, repeats: Bool = true) {
            (self.name, self.services, self.seconds, self.repeats) = (name, services, seconds, repeats)
        }

        var testDescription: String { name }
    }

    private static let every: [ServiceName] = [.apiProxy, .progressHost, .enrichmentWorker]
    private static let host: [ServiceName] = [.progressHost]
    private static let worker: [ServiceName] = [.enrichmentWorker]

    private static let calls = [
        // Jobs
        Row("jobs.create", host, 10), Row("jobs.draft", host, 5, repeats: false),
        Row("jobs.draftItems", host, 5, repeats: false), Row("jobs.submit", host, 10, repeats: false),
        Row("jobs.cancel", host, 5), Row("jobs.retry", host, 5), Row("jobs.state", host, 5),
        Row("jobs.progress", host, 5), Row("jobs.list", host, 5), Row("jobs.results", host, 5),
        Row("jobs.resultsPage", host, 5), Row("tokens.refresh", host, 5, repeats: false),
        // Imports and scans
        Row("imports.begin", host, 10), Row("imports.uploaded", host, 10),
        Row("imports.claim", host, 40, repeats: false), Row("imports.rows", host, 15),
        Row("imports.release", host, 2), Row("imports.finish", host, 15), Row("imports.fail", host, 15),
        Row("imports.results", host, 5), Row("imports.resultsPage", host, 5), Row("imports.preview", worker, 5),
        Row("scans.begin", host, 10), Row("scans.claim", host, 40, repeats: false), Row("scans.record", host, 15),
        // Sockets
        Row("sockets.open", host, 5, repeats: false), Row("sockets.resume", host, 10),
        // Work and webhooks
        Row("work.attach", host, 5), Row("work.claim", host, 40, repeats: false), Row("work.release", host, 2),
        Row("work.record", host, 15), Row("webhooks.claim", host, 40, repeats: false), Row("webhooks.record", host, 10),
        // Quality
        Row("analytics.query", host, 5), Row("reports.missingMetadata", worker, 5), Row("isbns.failing", worker, 5),
        // The console
        Row("jobs.detail", host, 5), Row("jobs.items", host, 5), Row("jobs.failures", host, 5),
        Row("jobs.operate", host, 5, repeats: false), Row("audit.list", host, 5),
        Row("audit.record", host, 5, repeats: false),
        // Searches and covers
        Row("search.books", worker, 9), Row("covers.fetch", worker, 9),
        // Operations
        Row("service.health", every, 2), Row("service.metrics", every, 2), Row("service.status", every, 4),
        Row("service.settings", every, 4), Row("tail.subscribe", every, 5), Row("providers.probe", worker, 15),
        Row("providers.operate", worker, 5, repeats: false),
        Row("cache.statistics", [.enrichmentWorker, .apiProxy], 5),
        Row("cache.purge", [.enrichmentWorker, .apiProxy], 30),
        // v1
        Row("pushProgress", host, 5), Row("pushJobProgress", [.apiProxy], 5), Row("closeConnection", host, 5),
        Row("closeJobConnection", [.apiProxy], 5), Row("enrichBatch", worker, 15),
    ]

    private static let notifications: [(name: String, services: [ServiceName])] = [
        ("imports.progress", host), ("scans.progress", host), ("sockets.message", host), ("sockets.alive", host),
        ("sockets.caughtUp", host), ("sockets.closed", host), ("sockets.deliver", [.apiProxy]),
        ("sockets.speaksV1", [.apiProxy]), ("sockets.close", [.apiProxy]), ("work.withdrawn", worker),
    ]

    @Test("each method has the services, the deadline and the idempotence in the table", arguments: calls)
    func call(row: Row) throws {
        let entry = try #require(MethodList.all.first { $0.name == row.name })
        #expect(entry.answeredBy == row.services)
        #expect(entry.deadline == .seconds(row.seconds))
        #expect(entry.isIdempotent == row.repeats)
    }

    @Test("each notification has the services in the table and no deadline", arguments: notifications)
    func notification(name: String, services: [ServiceName]) throws {
        let entry = try #require(MethodList.all.first { $0.name == name })
        #expect(entry.answeredBy == services)
        #expect(entry.deadline == nil)
    }

    @Test("the table contains every method")
    func complete() {
        let names = Self.calls.map(\.name) + Self.notifications.map(\.name)
        #expect(MethodList.all.map(\.name) == names.sorted())
    }
}
