import BookstrackContract
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Observability
import SuiteFixture
import SuiteMethods
import Testing
import WireClient

@Suite("Tail events of the services", .serialized)
struct TailTests {
    private static func start(
        _ books: [BookQuery], headers: HTTPHeaders = [:], at suite: SuiteFixture.Suite
    ) async throws -> StartedJob {
        let body = ByteBuffer(bytes: try JSONEncoder().encode(EnrichmentBatchRequest(books: books)))
        var fields = headers
        fields.add(name: "Content-Type", value: "application/json")
        let answer = try await suite.http.send(HTTPCall(.POST, "/v1/enrichment/batch", headers: fields, body: body))
        return try JSONDecoder().decode(SuccessEnvelope<StartedJob>.self, from: Data(answer.text.utf8)).data
    }

    @Test("a job can be followed through all three processes by its request identifier")
    func oneRequest() async throws {
        try await SuiteFixture.Suite.run { suite in
            let books = try SampleBooks.isbns().prefix(3).map { BookQuery(isbn: $0) }
            let job = try await Self.start(books, headers: ["X-Request-Id": "import-2026/11"], at: suite)
            var watcher = Watcher(suite, job)
            try await watcher.watch()
            var filter = TailFilter()
            filter.jobID = job.jobId.text
            var steps: [ServiceInstance: [String]] = [:]
            let lasts: [(ServiceInstance, Set<String>)] = [
                (.apiProxy, ["101"]), (.progressHost, ["completed"]),
                (.enrichmentWorker, ["looked_up 0", "looked_up 1", "looked_up 2"]),
            ]
            for (service, last) in lasts {
                let follower = try await Follower(
                    service, in: suite.runtimeDirectory, filter: filter, replay: .init(last: 1_000))
                var missing = last
                let events = await follower.events {
                    missing.remove($0.summary)
                    return missing.isEmpty
                }.filter { $0.requestId == "import-2026/11" }
                #expect(Set(events.map(\.traceId)).count == 1)
                steps[service] = events.map(\.summary)
                await follower.leave()
            }
            #expect(steps[.apiProxy]?.contains("202") == true)
            #expect(steps[.progressHost]?.contains("accepted") == true)
            #expect(steps[.progressHost]?.filter { $0.hasPrefix("recorded") }.count == 3)
            #expect(steps[.progressHost]?.last == "completed")
            #expect(Set(steps[.enrichmentWorker] ?? []) == ["looked_up 0", "looked_up 1", "looked_up 2"])
        }
    }

    @Test("tokens and keys appear in no event and no log line, even at the most verbose level")
    func secrets() async throws {
        let keys = ["AIza-" + UUID().uuidString, "isbndb-" + UUID().uuidString]
        let options = SuiteFixture.Suite.Options(settings: [
            "BOOKSTRACK_LOG_LEVEL": "trace", "BOOKSTRACK_GOOGLE_BOOKS_API_KEY": keys[0],
            "BOOKSTRACK_ISBNDB_API_KEY": keys[1],
        ])
        try await SuiteFixture.Suite.run(options) { suite in
            var filter = TailFilter()
            filter.level = .trace
            filter.includesRoutine = true
            var followers: [Follower] = []
            for service in ServiceInstance.standard {
                followers.append(try await Follower(service, in: suite.runtimeDirectory, filter: filter))
            }
            let job = try await Self.start([BookQuery(isbn: "9780441172719"), BookQuery(title: "Emma")], at: suite)
            var watcher = Watcher(suite, job)
            try await watcher.watch()
            let bearer: HTTPHeaders = ["Authorization": "Bearer \(job.token)"]
            for path in ["/v1/jobs/\(job.jobId)", "/v1/search/isbn?isbn=9780261102354&token=\(job.token)"] {
                _ = try await suite.http.send(HTTPCall(.GET, path, headers: bearer))
            }
            try await suite.emulator.setFaults(#"[{"kind":"status","code":500}]"#)
            _ = try await suite.http.send(HTTPCall(.GET, "/v1/search/title?q=anything"))
            _ = try await suite.http.send(HTTPCall(.GET, "/ws/progress?jobId=\(job.jobId)&token=\(job.token)x"))
            let last = "the-end"
            _ = try await suite.http.send(HTTPCall(.GET, "/health", headers: ["X-Request-Id": last]))
            var seen = ""
            for event in await followers[0].events(until: { $0.requestId == last }) { seen += "\(event)" }
            for follower in followers { await follower.leave() }
            for follower in followers.dropFirst() {
                for await page in follower.pages { seen += "\(page)" }
            }
            for process in [suite.host, suite.worker, suite.proxy] { seen += process.log }
            #expect(seen.contains(job.jobId.text))
            #expect(seen.contains("REDACTED"))
            for secret in keys + [job.token] { #expect(!seen.contains(secret)) }
        }
    }

    @Test("a follower that does not read does not slow down others, and learns how many events it missed")
    func stuck() async throws {
        let options = SuiteFixture.Suite.Options(settings: ["BOOKSTRACK_LOG_LEVEL": "warning"])
        try await SuiteFixture.Suite.run(options) { suite in
            let stuck = try await StuckFollower(.apiProxy, in: suite.runtimeDirectory)
            var filter = TailFilter()
            filter.methods = ["HEAD"]
            let attentive = try await Follower(.apiProxy, in: suite.runtimeDirectory, filter: filter)
            var seen = SeenPages()
            for round in 0..<100 {
                // The attentive follower is at most ten rounds behind, about half of the 2 048 events that api-proxy keeps.
                await seen.follow(attentive, until: round - 9)
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<100 {
                        group.addTask { try await suite.http.send(HTTPCall(.GET, "/openapi.json")).status }
                    }
                    for try await status in group { #expect(status == 200) }
                }
                _ = try await suite.http.send(HTTPCall(.HEAD, "/openapi.json"))
            }
            await seen.follow(attentive, until: 100)
            #expect(seen.dropped == 0)
            #expect(seen.events.count == 100)
            #expect(seen.events.allSatisfy { $0.event?.request?.method == "HEAD" })
            await attentive.leave()
            let received = try await stuck.readOn(until: 10_100)
            #expect(received.dropped > 0)
            #expect(received.events + received.dropped >= 10_100)
            await stuck.leave()
        }
    }
}

/// The events that a follower has received.
private struct SeenPages {
    var events: [TailEvent] = []
    var dropped = 0

    /// Follows until `count` events in total have arrived or been dropped.
    mutating func follow(_ follower: Follower, until count: Int) async {
        guard events.count + dropped < count else { return }
        for await page in follower.pages {
            events += page.events
            dropped += page.dropped
            if events.count + dropped >= count { return }
        }
    }
}

extension TailEvent {
    /// The part of an event by which a test identifies it.
    fileprivate var summary: String {
        if let status = event?.response?.status { return "\(status)" }
        if let step = event?.job { return step.step.rawValue + (step.index.map { " \($0)" } ?? "") }
        return event?.rpc?.method ?? logs.first?.message ?? ""
    }
}
