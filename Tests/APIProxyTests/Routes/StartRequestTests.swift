import BookstrackContract
import ServiceKit
import SuiteMethods
import Testing

@testable import APIProxy

/// The parsing of job start bodies, and the field that a refusal names.
@Suite("Parsing job start bodies") struct StartRequestTests {
    private func batch(_ body: String, _ change: (inout BatchLimits) -> Void = { _ in }) throws -> BatchRequest {
        var limits = BatchLimits()
        change(&limits)
        return try BatchRequest(body: Array(body.utf8), limits: limits)
    }

    private func refusal(_ body: String, _ change: (inout BatchLimits) -> Void = { _ in }) -> APIFailure? {
        do {
            _ = try batch(body, change)
            return nil
        } catch {
            return error as? APIFailure
        }
    }

    @Test(
        "each list becomes one row per book, in order, and the last of repeated members is used",
        arguments: [
            (#"{"isbns":["978","x y"]}"#, [BookQuery(isbn: "978"), BookQuery(isbn: "x y")]),
            (#"{"barcodes":["978"]}"#, [BookQuery(isbn: "978")]), (#"{"workIds":["w/1"]}"#, [BookQuery(workId: "w/1")]),
            (
                #"{"books":[{"title":"Dune","author":"Herbert","isbn":"1"},{}]}"#,
                [BookQuery(title: "Dune", author: "Herbert", isbn: "1"), BookQuery()]
            ),
            (#"{"books":[{"title":null,"isbn":"1"}]}"#, [BookQuery(isbn: "1")]),
            (#"{"isbns":null,"workIds":["1"]}"#, [BookQuery(workId: "1")]),
            (#"{"isbns":["1"],"isbns":["2"]}"#, [BookQuery(isbn: "2")]),
            (#"{"isbns":"x","isbns":["2"],"priority":7,"priority":"low"}"#, [BookQuery(isbn: "2")]),
            (#"{"books":[{"title":"Dune","isbn":5,"isbn":"1"}]}"#, [BookQuery(title: "Dune", isbn: "1")]),
            (#"{"books":[{},7],"books":[{"isbn":"1","isbn":null}]}"#, [BookQuery()]),
            (#"{"isbns":["\u0041"]}"#, [BookQuery(isbn: "A")]),
            ("\u{FEFF}" + #"{"isbns":["1"]}"#, [BookQuery(isbn: "1")]),
        ])
    func rows(body: String, items: [BookQuery]) throws {
        #expect(try batch(body).items == items)
    }

    @Test("optional members are read, and null counts as absent")
    func options() throws {
        let full = try batch(
            #"{"isbns":["1"],"jobId":"job-12345","priority":"low","source":"sync","token":"t","other":{"a":[1]}}"#)
        #expect(full.jobId.text == "job-12345")
        #expect(full.priority == .low)
        #expect(full.source == .sync)
        #expect(full.token == "t")
        let bare = try batch(
            #"{"isbns":["1"],"jobId":null,"priority":null,"source":null,"token":null,"callbackUrl":null}"#)
        #expect(bare.jobId.isRandomUUID)
        #expect(bare.priority == nil)
        #expect(bare.source == nil)
        #expect(bare.token == nil)
        #expect(bare.callbackURL == nil)
    }

    @Test(
        "a refusal names the invalid field",
        arguments: [
            (#"{"isbns":["1"],"priority":"urgent"}"#, "priority", "priority must be high, normal or low."),
            (
                #"{"isbns":["1"],"source":"email"}"#, "source",
                "source must be manual, search, import, scan, sync or api."
            ),
            (
                #"{"isbns":["1"],"jobId":"a b c d e"}"#, "jobId",
                "jobId must be 8 to 64 characters from A-Z a-z 0-9 _ -."
            ),
            (#"{"isbns":["1"],"token":1}"#, "token", "token must be a string."),
            (#"{"isbns":7}"#, "isbns", "isbns must be a list."),
            (#"{"isbns":["1"],"isbns":7}"#, "isbns", "isbns must be a list."),
            (#"{"isbns":["1",[]]}"#, "isbns[1]", "isbns[1] must be a string."),
            (#"{"books":[{"isbn":"1"},7]}"#, "books[1]", "books[1] must be an object."),
            (
                #"{"books":[{"name":"x"}]}"#, "books[0].name",
                "books[0].name is unknown; the members of a book are title, author, isbn, workId and row."
            ),
            (#"{"workIds":[null]}"#, "workIds[0]", "workIds[0] must be a string."),
            (
                #"{"books":[{"title":"Dune\u0000 Messiah"}]}"#, "books[0].title",
                "books[0].title must not contain the character U+0000."
            ),
            (#"{"isbns":["1","2\u0000"]}"#, "isbns[1]", "isbns[1] must not contain the character U+0000."),
            (#"{"workIds":["\u0000"]}"#, "workIds[0]", "workIds[0] must not contain the character U+0000."),
        ])
    func places(body: String, field: String, message: String) {
        let refusal = refusal(body)
        #expect(refusal?.code == .invalidRequest)
        #expect(refusal?.details == ["field": .text(field)])
        #expect(refusal?.message == message)
    }

    @Test(
        "the refusal of a batch that is too large states the limit and the number of books",
        arguments: [(3, nil), (4, 4)] as [(Int, Int?)])
    func tooLarge(count: Int, refused: Int?) {
        let list = (0..<count).map { #""\#($0)""# }.joined(separator: ",")
        let refusal = refusal("{\"isbns\":[\(list)]}") { $0.books = 3 }
        #expect(refusal?.code == (refused == nil ? nil : .batchTooLarge))
        #expect(refusal?.details == refused.map { ["limit": .integer(3), "count": .integer($0)] })
    }

    @Test(
        "a shipped app may start a batch of at most a hundred books, or of fewer if the configured limit is lower",
        arguments: [
            (true, 10_000, 100), (false, 10_000, 10_000), (true, 50, 50),
        ])
    func shippedApps(isShippedApp: Bool, configured: Int, limit: Int) {
        var limits = BatchLimits()
        limits.books = configured
        #expect(limits.limits(ofShippedApp: isShippedApp).books == limit)
    }

    @Test("a job identifier that is shorter than its route's minimum is refused", arguments: [(4, true), (8, false)])
    func shortest(shortest: Int, isRead: Bool) {
        #expect((refusal(#"{"isbns":["1"],"jobId":"abcd"}"#) { $0.shortestJobID = shortest } == nil) == isRead)
    }

    @Test(
        "a webhook URL is accepted only if it is an https URL with a listed host",
        arguments: [
            ("https://hooks.example/x", true), ("https://other.example/x", false), ("http://hooks.example/x", false),
            ("hooks.example", false),
        ])
    func webhooks(url: String, isListed: Bool) {
        let refusal = refusal(#"{"isbns":["1"],"callbackUrl":"\#(url)"}"#) {
            $0.webhooks = WebhookHosts(["hooks.example"])
        }
        #expect((refusal == nil) == isListed)
        #expect(refusal?.details == (isListed ? nil : ["field": "callbackUrl"]))
    }
}

@Suite("Parsing bodies about one book") struct BookRequestTests {
    private func request(_ body: String) throws -> BookRequest { try BookRequest(body: Array(body.utf8)) }

    private func refusal(_ body: String) -> APIFailure? {
        do {
            _ = try request(body)
            return nil
        } catch {
            return error as? APIFailure
        }
    }

    @Test(
        "a book can be identified by ISBN, barcode or title",
        arguments: [
            (#"{"isbn":"978"}"#, BookQuery(isbn: "978")), (#"{"barcode":"978"}"#, BookQuery(isbn: "978")),
            (#"{"title":"Dune"}"#, BookQuery(title: "Dune")),
            (#"{"title":"Dune","author":"Herbert"}"#, BookQuery(title: "Dune", author: "Herbert")),
            (#"{"isbn":null,"title":"Dune"}"#, BookQuery(title: "Dune")),
            (#"{"isbn":"978","title":"","author":" "}"#, BookQuery(isbn: "978")),
            (#"{"isbn":"","title":"Dune","author":""}"#, BookQuery(title: "Dune")),
            (#"{"isbn":"1","preferProvider":"openlibrary"}"#, BookQuery(isbn: "1")),
        ])
    func books(body: String, book: BookQuery) throws {
        #expect(try request(body).book == book)
    }

    @Test(
        "a body that does not identify exactly one book, or has invalid members, is refused with the reason",
        arguments: [
            ("{}", "Provide exactly one of isbn, title and barcode."),
            (#"{"isbn":"1","title":"x"}"#, "Provide exactly one of isbn, title and barcode."),
            (#"{"isbn":"  ","title":""}"#, "Provide exactly one of isbn, title and barcode."),
            (#"{"isbn":"1","author":"x"}"#, "author is only allowed with title."),
            (#"{"isbn":"1","titel":"x"}"#, "titel is unknown."),
            (#"{"isbn":"1","preferProvider":"amazon"}"#, "preferProvider must be one of "),
            (
                #"{"isbn":"1","idempotencyKey":"short"}"#,
                "idempotencyKey must be 8 to 64 characters from A-Z a-z 0-9 _ -."
            ),
            (#"{"isbn":1}"#, "isbn must be a string."), ("[]", "The body must be a JSON object."),
            (#"{"title":"x","author":"y\u0000"}"#, "author must not contain the character U+0000."),
        ])
    func refused(body: String, message: String) {
        #expect(refusal(body)?.code == .invalidRequest)
        #expect(refusal(body)?.message.hasPrefix(message) == true)
    }

    @Test("requests with the same key from one client share a job, and every request without a key has its own job")
    func keys() throws {
        let keyed = try request(#"{"isbn":"1","idempotencyKey":"key-12345"}"#)
        #expect(keyed.jobId(of: "a") == keyed.jobId(of: "a"))
        #expect(keyed.jobId(of: "a") != keyed.jobId(of: "b"))
        let plain = try request(#"{"isbn":"1"}"#)
        #expect(plain.jobId(of: "a") != plain.jobId(of: "a"))
    }
}

@Suite("Parsing bodies with a job token") struct JobAccessBodyTests {
    @Test(
        "the job identifier and token are read, and all other members are ignored",
        arguments: [
            (#"{"jobId":"job-12345","token":"t"}"#, "job-12345", "t"), (#"{"token":"t","more":[{}]}"#, nil, "t"),
            ("{}", nil, nil), (#"{"jobId":null,"token":null}"#, nil, nil),
            (#"{"jobId":5,"jobId":"job-12345","token":[],"token":"t"}"#, "job-12345", "t"),
        ] as [(String, String?, String?)])
    func read(body: String, jobId: String?, token: String?) throws {
        let access = try JobAccessBody(Array(body.utf8))
        #expect(access.jobId?.text == jobId)
        #expect(access.token == token)
    }

    @Test("a token may have at most 512 characters", arguments: [(512, true), (513, false)])
    func longTokens(length: Int, isRead: Bool) {
        let body = "{\"token\":\"\(String(repeating: "t", count: length))\"}"
        #expect(((try? JobAccessBody(Array(body.utf8))) != nil) == isRead)
    }

    @Test(
        "an invalid job identifier is refused",
        arguments: [#"{"jobId":"a/b"}"#, #"{"jobId":3}"#, #"{"jobId":""}"#])
    func refused(body: String) {
        #expect(throws: APIFailure.self) { try JobAccessBody(Array(body.utf8)) }
    }
}
