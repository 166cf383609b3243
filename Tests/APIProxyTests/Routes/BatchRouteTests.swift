import BookstrackContract
import Foundation
import HTTPTypes
import JSONRPC
import NIOCore
import ServiceKit
import SuiteMethods
import TestSupport
import Testing
@testable import APIProxy

@Suite("Starting a batch") struct BatchRouteTests {
    @Test("starting a batch returns a 202 with the job's token, counts and paths, and progress-host receives the rows")
    func start() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post(
                "/v1/enrichment/batch",
                #"{"jobId":"job-12345","books":[{"title":"Dune","author":"Frank Herbert"},{"isbn":"9780441172719"}]}"#)
            #expect(answer.status == 202)
            let envelope = try answer.decode(SuccessEnvelope<StartedJob>.self)
            #expect(envelope.success)
            #expect(envelope.data.token == "tok-1")
            #expect(envelope.data.authToken == "tok-1")
            #expect(envelope.data.totalCount == 2)
            #expect(envelope.data.totalBooks == 2)
            #expect(envelope.data.websocketUrl == "/ws/progress?jobId=job-12345")
            #expect(envelope.data.eventsUrl == "/v1/jobs/job-12345/events")
            #expect(envelope.data.sseUrl == "/api/v2/imports/job-12345/stream")
            #expect(answer["content-type"] == "application/json; charset=utf-8")
            #expect(answer["x-api-version"] == "2.1")
            #expect(answer["x-response-time"]?.hasSuffix("ms") == true)
            let job = try await proxy.host.nextCreated()
            #expect(job.items == [BookQuery(title: "Dune", author: "Frank Herbert"), BookQuery(isbn: "9780441172719")])
            #expect(job.digest.count == 64)
        }
    }

    @Test("the book of a result row, with its work and row number, can be requested as it is")
    func resultRow() async throws {
        try await RunningProxy.run { proxy in
            let book = BookQuery(title: "Dune", author: "Frank Herbert", workId: "OL893415W", row: 7)
            let body = String(buffer: try BodyCoding.encode(EnrichmentBatchRequest(books: [book])))
            #expect(try await proxy.post("/v1/enrichment/batch", body).status == 202)
            #expect(try await proxy.host.nextCreated().items == [book])
        }
    }

    @Test("a start passes on the client's address, its token, the priority, and whether a shipped app sent it")
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

    @Test("a start with an unknown priority is refused with a 400")
    func unknownPriority() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post("/v1/enrichment/batch", #"{"isbns":["1"],"priority":"urgent"}"#)
            #expect(answer.status == 400)
        }
    }

    @Test("a start passes on its source", arguments: JobSource.allCases)
    func source(_ source: JobSource) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post(
                "/v1/enrichment/batch", #"{"isbns":["1"],"source":"\#(source.rawValue)"}"#)
            #expect(answer.status == 202)
            #expect(try await proxy.host.nextCreated().origin.source == source)
        }
    }

    @Test("a start with an unknown source is refused with a 400", arguments: ["\"email\"", "\"\"", "1"])
    func unknownSource(source: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post("/v1/enrichment/batch", #"{"isbns":["1"],"source":\#(source)}"#)
            #expect(answer.status == 400)
        }
    }

    @Test("a start passes on its webhook URL if the URL's host is listed")
    func callback() async throws {
        try await RunningProxy.run {
            $0.batchLimits.webhooks = WebhookHosts(["hooks.example.org"])
        } _: { proxy in
            let url = "https://hooks.example.org/books?id=7"
            let answer = try await proxy.post("/v1/enrichment/batch", #"{"isbns":["1"],"callbackUrl":"\#(url)"}"#)
            #expect(answer.status == 202)
            #expect(try await proxy.host.nextCreated().origin.callbackURL == url)
        }
    }

    @Test(
        "a webhook URL is refused with a 400 if it is not an https URL with a listed host, or if webhooks are off",
        arguments: [
            ("https://other.example.org/", ["hooks.example.org"]), ("http://hooks.example.org/", ["hooks.example.org"]),
            ("hooks.example.org", ["hooks.example.org"]), ("https://hooks.example.org/", []),
        ])
    func unlistedCallback(url: String, hosts: [String]) async throws {
        try await RunningProxy.run {
            $0.batchLimits.webhooks = WebhookHosts(hosts)
        } _: { proxy in
            let answer = try await proxy.post("/v1/enrichment/batch", #"{"isbns":["1"],"callbackUrl":"\#(url)"}"#)
            #expect(answer.status == 400)
            #expect(try answer.failure.message.contains("callbackUrl"))
        }
    }

    @Test(
        "the deprecated start route repeats the data at the top level and names its successor, and the alias of the batch route does neither"
    )
    func aliases() async throws {
        try await RunningProxy.run { proxy in
            let body = #"{"jobId":"job-12345","isbns":["1"]}"#
            let alias = try await proxy.post("/api/enrichment/batch", body)
            #expect(alias.status == 202)
            #expect(alias["deprecation"] == nil)
            #expect(try alias.object["token"] == nil)
            let old = try await proxy.post("/api/enrichment/start", body)
            #expect(old.status == 200)
            let object = try old.object
            #expect(object["jobId"] as? String == "job-12345")
            #expect(object["token"] as? String == "tok-1")
            #expect(object["totalCount"] as? Int == 1)
            #expect(object["success"] as? Bool == true)
            #expect(object["meta"] as? [String: AnyHashable] == object["metadata"] as? [String: AnyHashable])
            #expect((object["data"] as? [String: Any])?["websocketUrl"] as? String == "/ws/progress?jobId=job-12345")
            #expect(old["deprecation"]?.hasPrefix("@") == true)
            #expect(old["sunset"] == "Fri, 21 May 2027 00:00:00 GMT")
            #expect(old["link"] == "</v1/enrichment/batch>; rel=\"successor-version\"")
        }
    }

    @Test("the deprecated start route accepts an identifier of four characters, but not of three")
    func shortIdentifier() async throws {
        try await RunningProxy.run { proxy in
            let old = try await proxy.post("/api/enrichment/start", #"{"jobId":"test","isbns":["1"]}"#)
            #expect(old.status == 200)
            #expect(try await proxy.host.nextCreated().jobId.text == "test")
            let tooShort = try await proxy.post("/api/enrichment/start", #"{"jobId":"tes","isbns":["1"]}"#)
            #expect(try tooShort.failure.message.contains("4 to 64"))
        }
    }

    @Test("barcodes are read as ISBNs")
    func barcodes() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post("/v1/enrichment/batch", #"{"barcodes":["9780441172719"]}"#)
            #expect(answer.status == 202)
            #expect(try await proxy.host.nextCreated().items == [BookQuery(isbn: "9780441172719")])
        }
    }

    @Test("a shipped app may start a batch of at most 100 books, and other clients as many books as are configured")
    func booksOfApps() async throws {
        let body = "{\"isbns\":[\(Array(repeating: "\"1\"", count: 101).joined(separator: ","))]}"
        try await RunningProxy.run { proxy in
            let app = try await proxy.post("/v1/enrichment/batch", body, fields: ["X-Client-Version: ios-2.4.0"])
            #expect(try app.failure.code == .batchTooLarge)
            let other = try await proxy.post("/v1/enrichment/batch", body)
            #expect(other.status == 202)
        }
    }

    @Test("a sunset date is announced only until it has passed")
    func sunset() {
        let sunset = Date(timeIntervalSince1970: 1_795_305_600)
        let deprecation = Deprecation(successor: "/v1/enrichment/batch", sunset: sunset)
        let name = HTTPField.Name.known("Sunset")
        #expect(deprecation.fields(at: sunset - 1)[name] == "Sun, 22 Nov 2026 00:00:00 GMT")
        #expect(deprecation.fields(at: sunset)[name] == nil)
        #expect(deprecation.fields(at: sunset)[.known("Deprecation")] == "@1763164800")
    }

    @Test("10 000 long rows are sent to progress-host in pages and in order")
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

@Suite("Job start requests, digests and pages") struct BatchRequestTests {
    private func read(_ body: String, limit: Int = 100) throws -> BatchRequest {
        var limits = BatchLimits()
        limits.books = limit
        return try BatchRequest(body: Array(body.utf8), limits: limits)
    }

    @Test("at every nesting level, the last value of a repeated key is used")
    func duplicates() throws {
        let batch = try read(
            #"{"jobId":"job-first","books":[{"title":"A"},{"title":"B"}],"jobId":"job-last1","books":[{"title":"C","title":"D"}]}"#
        )
        #expect(batch.jobId.text == "job-last1")
        #expect(batch.items == [BookQuery(title: "D")])
    }

    @Test("null counts as absent, and unknown members beside the list are ignored")
    func nulls() throws {
        let batch = try read(
            #"{"jobId":null,"isbns":null,"books":[{"title":null,"isbn":"1"}],"options":{"a":[]}}"#)
        #expect(batch.items == [BookQuery(isbn: "1")])
        #expect(batch.jobId.text.count == 36)
    }

    @Test("a list of ISBNs, work identifiers or books becomes rows in the same order")
    func lists() throws {
        #expect(try read(#"{"isbns":["1","2"]}"#).items == [BookQuery(isbn: "1"), BookQuery(isbn: "2")])
        #expect(try read(#"{"workIds":["OL1W"]}"#).items == [BookQuery(workId: "OL1W")])
        #expect(try read(#"{"books":[{}]}"#).items == [BookQuery()])
    }

    @Test("length limits count characters rather than bytes")
    func characters() throws {
        func title(_ character: String, _ count: Int) throws {
            _ = try read("{\"books\":[{\"title\":\"\(String(repeating: character, count: count))\"}]}")
        }
        #expect(throws: Never.self) { try title("📚", 500) }
        #expect(throws: Never.self) { try title("e\u{301}", 500) }
        #expect(throws: APIFailure.self) { try title("📚", 501) }
        #expect(throws: APIFailure.self) { try title("e\u{301}", 501) }
    }

    @Test("a character with endless combining marks is refused for its byte count, and the refusal names the field")
    func combiningMarks() {
        let endless = "a" + String(repeating: "\u{301}", count: 600_000)
        for (body, place) in [
            ("{\"books\":[{},{\"title\":\"\(endless)\"}]}", "books[1].title"),
            ("{\"books\":[{\"author\":\"\(endless)\"}]}", "books[0].author"),
            ("{\"isbns\":[\"\(endless)\"]}", "isbns[0]"), ("{\"workIds\":[\"\(endless)\"]}", "workIds[0]"),
        ] {
            let failure = #expect(throws: APIFailure.self) { try read(body) }
            #expect(failure?.code == .invalidRequest)
            #expect(failure?.details?["field"] == .text(place))
        }
    }

    @Test("equal rows have equal digests, and moving a character between members changes the digest")
    func digests() {
        let one = [BookQuery(title: "ab", author: "c")]
        #expect(JobDigest.of(one) == JobDigest.of([BookQuery(title: "ab", author: "c")]))
        let others = [
            [BookQuery(title: "a", author: "bc")], [BookQuery(title: "abc")],
            [BookQuery(title: "ab", author: "c"), BookQuery()],
            [BookQuery(title: "ab", author: "c", isbn: "")],
        ]
        #expect(Set(others.map(JobDigest.of)).count == 4)
        #expect(!others.map(JobDigest.of).contains(JobDigest.of(one)))
    }

    @Test(
        "pages keep the order and stay within the size limit, even with the longest escapes, unless a single row exceeds it"
    )
    func pages() throws {
        let items = (0..<300).map {
            BookQuery(title: String(repeating: "\u{1}\"", count: 100) + "\($0)", isbn: "\($0)")
        }
        let pages = ItemPages.split(items, pageBytes: 10_000)
        #expect(pages.flatMap(\.self) == items)
        #expect(pages.count > 10)
        for page in pages { #expect(JSONBody.encode(page).readableBytes <= 10_000) }
        #expect(ItemPages.split([items[0]], pageBytes: 1) == [[items[0]]])
    }
}
