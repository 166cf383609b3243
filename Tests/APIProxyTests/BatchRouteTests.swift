import BookstrackContract
import Foundation
import HTTPTypes
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Starting a batch") struct BatchRouteTests {
    @Test("a start is answered 202 with every documented member once the host has the job")
    func start() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post(
                "/v1/enrichment/batch",
                #"{"jobId":"job-12345","books":[{"title":"Dune","author":"Frank Herbert"},{"isbn":"9780441172719"}]}"#)
            #expect(answer.status == 202)
            let envelope = try answer.decode(SuccessEnvelope<StartedJob>.self)
            #expect(envelope.success)
            #expect(envelope.data.token == "tok-1" && envelope.data.authToken == "tok-1")
            #expect(envelope.data.totalCount == 2 && envelope.data.totalBooks == 2)
            #expect(envelope.data.websocketUrl == "/ws/progress?jobId=job-12345")
            #expect(answer["content-type"] == "application/json; charset=utf-8")
            #expect(answer["x-api-version"] == "2.1")
            #expect(answer["x-response-time"]?.hasSuffix("ms") == true)
            let job = try await proxy.host.nextCreated()
            #expect(job.items == [BookQuery(title: "Dune", author: "Frank Herbert"), BookQuery(isbn: "9780441172719")])
            #expect(job.digest.count == 64)
        }
    }

    @Test(
        "a start takes along its client's address, the token it shows, its priority and whether it is the shipped app's"
    )
    func origin() async throws {
        try await RunningProxy.run { proxy in
            _ = try await proxy.post("/v1/enrichment/batch", #"{"isbns":["1"]}"#)
            #expect(try await proxy.host.nextCreated().origin == JobOrigin(client: "7f:0:0:1"))
            _ = try await proxy.post(
                "/v1/enrichment/batch", #"{"isbns":["1"],"priority":"low","token":"body"}"#,
                fields: ["X-Client-Version: ios-2.0.1"])
            #expect(
                try await proxy.host.nextCreated().origin
                    == JobOrigin(client: "7f:0:0:1", shownToken: "body", priority: .low, completionBooks: .enriched))
            _ = try await proxy.post(
                "/v1/enrichment/batch", #"{"isbns":["1"],"token":"body"}"#,
                fields: ["Authorization: Bearer head", "X-Client-Version: web-1"])
            #expect(
                try await proxy.host.nextCreated().origin == JobOrigin(client: "7f:0:0:1", shownToken: "head"))
        }
    }

    @Test("a start with a priority that does not exist is 400")
    func unknownPriority() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post("/v1/enrichment/batch", #"{"isbns":["1"],"priority":"urgent"}"#)
            #expect(answer.status == 400)
        }
    }

    @Test("the alias answers the same, and the deprecated one repeats data and metadata and points on")
    func aliases() async throws {
        try await RunningProxy.run { proxy in
            let body = #"{"jobId":"job-12345","isbns":["1"]}"#
            let alias = try await proxy.post("/api/enrichment/batch", body)
            #expect(alias.status == 202 && alias["deprecation"] == nil)
            #expect(try alias.object["token"] == nil)
            let old = try await proxy.post("/api/enrichment/start", body)
            #expect(old.status == 200)
            let object = try old.object
            #expect(object["jobId"] as? String == "job-12345" && object["token"] as? String == "tok-1")
            #expect(object["totalCount"] as? Int == 1 && object["success"] as? Bool == true)
            #expect(object["meta"] as? [String: AnyHashable] == object["metadata"] as? [String: AnyHashable])
            #expect((object["data"] as? [String: Any])?["websocketUrl"] as? String == "/ws/progress?jobId=job-12345")
            #expect(old["deprecation"]?.hasPrefix("@") == true)
            #expect(old["sunset"] == "Fri, 21 May 2027 00:00:00 GMT")
            #expect(old["link"] == "</v1/enrichment/batch>; rel=\"successor-version\"")
        }
    }

    @Test("the deprecated start takes an identifier of four characters")
    func shortIdentifier() async throws {
        try await RunningProxy.run { proxy in
            let old = try await proxy.post("/api/enrichment/start", #"{"jobId":"test","isbns":["1"]}"#)
            #expect(old.status == 200)
            #expect(try await proxy.host.nextCreated().jobId.text == "test")
            let tooShort = try await proxy.post("/api/enrichment/start", #"{"jobId":"tes","isbns":["1"]}"#)
            #expect(try tooShort.failure.message.contains("4 to 64"))
        }
    }

    @Test("barcodes are ISBNs")
    func barcodes() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post("/v1/enrichment/batch", #"{"barcodes":["9780441172719"]}"#)
            #expect(answer.status == 202)
            #expect(try await proxy.host.nextCreated().items == [BookQuery(isbn: "9780441172719")])
        }
    }

    @Test("a shipped app starts at most 100 books, others as many as are configured")
    func booksOfApps() async throws {
        let body = "{\"isbns\":[\(Array(repeating: "\"1\"", count: 101).joined(separator: ","))]}"
        try await RunningProxy.run { proxy in
            let app = try await proxy.post("/v1/enrichment/batch", body, fields: ["X-Client-Version: ios-2.4.0"])
            #expect(try app.failure.code == .batchTooLarge)
            let other = try await proxy.post("/v1/enrichment/batch", body)
            #expect(other.status == 202)
        }
    }

    @Test("a sunset is announced only until it comes")
    func sunset() {
        let sunset = Date(timeIntervalSince1970: 1_795_305_600)
        let deprecation = Deprecation(successor: "/v1/enrichment/batch", sunset: sunset)
        let name = HTTPField.Name.known("Sunset")
        #expect(deprecation.fields(at: sunset - 1)[name] == "Sun, 22 Nov 2026 00:00:00 GMT")
        #expect(deprecation.fields(at: sunset)[name] == nil)
        #expect(deprecation.fields(at: sunset)[.known("Deprecation")] == "@1763164800")
    }

    @Test("10 000 long rows cross in pages, in their order")
    func manyRows() async throws {
        let title = String(repeating: "t", count: 300)
        let rows = (0..<10_000).map { "{\"title\":\"\(title)\",\"isbn\":\"\($0)\"}" }
        try await RunningProxy.run {
            $0.batchLimits.books = 10_000
        } _: { proxy in
            let answer = try await proxy.post(
                "/v1/enrichment/batch", "{\"jobId\":\"job-12345\",\"books\":[\(rows.joined(separator: ","))]}")
            #expect(answer.status == 202)
            #expect(try answer.decode(SuccessEnvelope<StartedJob>.self).data.totalCount == 10_000)
            let items = proxy.host.events.elements.flatMap { event -> [BookQuery] in
                if case .draftItems(let page) = event { page.items } else { [] }
            }
            #expect(items.map(\.isbn) == (0..<10_000).map { "\($0)" })
        }
    }
}
