import BookstrackContract
import Foundation
import TestSupport
import Testing

@testable import APIProxy

@Suite("Request validation") struct ValidationTests {
    /// A refused request (http-api.md "Validation"): the body, the code, and text that the message contains.
    struct Case: Sendable, CustomTestStringConvertible {
        var body: String
        var code: APIErrorCode = .invalidRequest
        var names: String
        var testDescription: String { String(body.prefix(60)) }
    }

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    static let refused: [Case] = [
        Case(body: "", names: "byte 0"),
        Case(body: "   ", names: "byte 3"),
        Case(body: "[]", names: "must be a JSON object"),
        Case(body: "\"books\"", names: "must be a JSON object"),
        Case(body: "null", names: "must be a JSON object"),
        Case(body: "{}", names: "exactly one of books, isbns, barcodes and workIds"),
        Case(body: #"{"books":[{}],"isbns":["1"]}"#, names: "exactly one of"),
        Case(body: #"{"books":[]}"#, names: "empty"),
        Case(body: #"{"isbns":[]}"#, names: "empty"),
        Case(body: #"{"books":{}}"#, names: "books must be a list"),
        Case(body: #"{"books":"x"}"#, names: "books must be a list"),
        Case(body: #"{"books":["x"]}"#, names: "books[0] must be an object"),
        Case(body: #"{"books":[{},null]}"#, names: "books[1] must be an object"),
        Case(body: #"{"books":[{"title":7}]}"#, names: "books[0].title must be a string"),
        Case(body: #"{"books":[{"author":[]}]}"#, names: "books[0].author must be a string"),
        Case(body: #"{"books":[{},{"isbn":9780441172719}]}"#, names: "books[1].isbn must be a string"),
        Case(body: #"{"isbns":["1",2]}"#, names: "isbns[1] must be a string"),
        Case(body: #"{"isbns":[null]}"#, names: "isbns[0] must be a string"),
        Case(body: #"{"workIds":[{}]}"#, names: "workIds[0] must be a string"),
        Case(body: "{\"books\":[{\"title\":\"\(text(501))\"}]}", names: "books[0].title is longer than 500"),
        Case(body: "{\"books\":[{},{\"author\":\"\(text(301))\"}]}", names: "books[1].author is longer than 300"),
        Case(body: "{\"books\":[{\"isbn\":\"\(text(33))\"}]}", names: "books[0].isbn is longer than 32"),
        Case(body: "{\"isbns\":[\"\(text(33))\"]}", names: "isbns[0] is longer than 32"),
        Case(
            body: #"{"books":[{"isbn":"1"},{"titel":"Dune"}]}"#,
            names: "books[1].titel is unknown; the members of a book are title, author, isbn, workId and row"),
        Case(body: #"{"books":[{},{"workId":45804}]}"#, names: "books[1].workId must be a string"),
        Case(body: "{\"books\":[{\"workId\":\"\(text(501))\"}]}", names: "books[0].workId is longer than 500"),
        Case(body: #"{"books":[{"row":"7"}]}"#, names: "books[0].row must be a whole number"),
        Case(body: #"{"books":[{"row":1.5}]}"#, names: "books[0].row must be a whole number"),
        Case(body: #"{"barcodes":["1"],"isbns":["1"]}"#, names: "exactly one of"),
        Case(body: #"{"jobId":"test","isbns":["1"]}"#, names: "jobId must be 8 to 64"),
        Case(body: #"{"jobId":7,"isbns":["1"]}"#, names: "jobId must be a string"),
        Case(body: #"{"jobId":"short","isbns":["1"]}"#, names: "jobId must be 8 to 64"),
        Case(body: "{\"jobId\":\"\(text(65))\",\"isbns\":[\"1\"]}", names: "jobId must be 8 to 64"),
        Case(body: #"{"jobId":"job 12345","isbns":["1"]}"#, names: "jobId must be 8 to 64"),
        Case(body: #"{"jobId":"jöb-12345","isbns":["1"]}"#, names: "jobId must be 8 to 64"),
        Case(body: "{\"books\":[\n{\"title\": }]}", names: "line 2, column 11"),
        Case(body: #"{"books":[{"title":"\ud800"}]}"#, names: "lone surrogate"),
        Case(body: #"{"isbns":["1"]} x"#, names: "byte 16"),
        Case(
            body: "{\"isbns\":[\(Array(repeating: "\"1\"", count: 101).joined(separator: ","))]}", code: .batchTooLarge,
            names: "at most 100"),
        Case(body: "{\"isbns\":[\"1\"],\"x\":" + String(repeating: "[", count: 100_000), names: "levels of nesting"),
    ]

    @Test("a start that violates a rule is refused in the error envelope, with a message that states the reason")
    func refusals() async throws {
        try await RunningProxy.run {
            $0.batchLimits.books = 100
        } _: { proxy in
            for wrong in Self.refused {
                let answer = try await proxy.post("/v1/enrichment/batch", wrong.body)
                let failure = try answer.failure
                #expect(answer.status == 400, "\(wrong.testDescription)")
                #expect(failure.code == wrong.code)
                #expect(failure.statusCode == 400)
                #expect(!failure.retryable)
                #expect(failure.message.contains(wrong.names), "\(wrong.testDescription): \(failure.message)")
                #expect(try answer.object["data"] is NSNull)
            }
            #expect(proxy.host.events.elements.isEmpty)
        }
    }

    @Test(
        "a valid body that is truncated causes a 400, and one with a flipped bit causes a 400 or starts a job")
    func malformedEverywhere() async throws {
        let body = Array(
            #"{"jobId":"job-12345","books":[{"title":"D\u00fcne \"1\"","isbn":"9780441172719"}],"x":[1.5e3,true,null]}"#
                .utf8)
        try await RunningProxy.run { proxy in
            for end in body.indices {
                let answer = try await proxy.post(body: Array(body[..<end]))
                #expect(answer.status == 400, "prefix of \(end) bytes")
            }
            for place in body.indices {
                for bit in [0x01, 0x08, 0x80] as [UInt8] {
                    var flipped = body
                    flipped[place] ^= bit
                    let answer = try await proxy.post(body: flipped)
                    #expect(answer.status == 400 || answer.status == 202, "byte \(place) with bit \(bit) flipped")
                }
            }
        }
    }

    @Test("invalid bodies and job identifiers are also refused by routes that start no job")
    func otherBodies() async throws {
        try await RunningProxy.run { proxy in
            for (path, body, names) in [
                ("/api/token/refresh", "{", "byte 1"), ("/api/token/refresh", "{}", "jobId is missing"),
                ("/v1/token/refresh", #"{"jobId":"job-12345"}"#, "oldToken is missing"),
                ("/v1/token/refresh", #"{"jobId":"job-12345","oldToken":1}"#, "oldToken must be a string"),
                ("/api/enrichment/cancel", "{}", "jobId is missing"),
                ("/api/enrichment/cancel", #"{"jobId":"x"}"#, "jobId must be 4 to 64"),
                ("/v1/jobs/job-12345/retry", "[", "must be a JSON object"),
                ("/v1/jobs/x/retry", "{}", "jobId must be 4 to 64"),
            ] {
                let answer = try await proxy.post(path, body)
                #expect(answer.status == 400)
                let message = try answer.failure.message
                #expect(message.contains(names), "\(path) \(body): \(message)")
            }
            #expect(try await proxy.request("GET", "/v1/enrichment/results/x").status == 400)
        }
    }

    @Test(
        "only a Content-Type that means JSON in UTF-8 is accepted",
        arguments: [
            ("application/json", 202), ("application/json; charset=UTF-8", 202), ("Application/JSON", 202),
            ("application/json;charset=utf8", 202),
            ("application/vnd.api+json", 202), ("text/json", 415), ("application/x-www-form-urlencoded", 415),
            ("multipart/form-data; boundary=x", 415), ("application/json; charset=latin1", 415), ("nonsense", 415),
        ])
    func contentTypes(_ type: String, _ status: Int) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request(
                "POST", "/v1/enrichment/batch", fields: ["Content-Type: \(type)"], body: Array(#"{"isbns":["1"]}"#.utf8)
            )
            #expect(answer.status == status)
            if status == 415 { #expect(try answer.failure.code == .unsupportedMediaType) }
        }
    }
}

extension RunningProxy {
    fileprivate func post(body: [UInt8]) async throws -> HTTPAnswer {
        try await request("POST", "/v1/enrichment/batch", fields: ["Content-Type: application/json"], body: body)
    }
}
