import BookstrackContract
import NIOCore
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("What a start may ask") struct BatchRequestTests {
    private func read(_ body: String, limit: Int = 100) throws -> BatchRequest {
        var limits = BatchLimits()
        limits.books = limit
        return try BatchRequest(body: Array(body.utf8), limits: limits)
    }

    @Test("the last of duplicate keys wins, at every level")
    func duplicates() throws {
        let batch = try read(
            #"{"jobId":"job-first","books":[{"title":"A"},{"title":"B"}],"jobId":"job-last1","books":[{"title":"C","title":"D"}]}"#
        )
        #expect(batch.jobId.text == "job-last1")
        #expect(batch.items == [BookQuery(title: "D")])
    }

    @Test("null counts as absent and unknown members beside the list are passed over")
    func nulls() throws {
        let batch = try read(
            #"{"jobId":null,"isbns":null,"books":[{"title":null,"isbn":"1"}],"options":{"a":[]}}"#)
        #expect(batch.items == [BookQuery(isbn: "1")])
        #expect(batch.jobId.text.count == 36)
    }

    @Test("each of the three lists becomes rows in its order")
    func lists() throws {
        #expect(try read(#"{"isbns":["1","2"]}"#).items == [BookQuery(isbn: "1"), BookQuery(isbn: "2")])
        #expect(try read(#"{"workIds":["OL1W"]}"#).items == [BookQuery(workId: "OL1W")])
        #expect(try read(#"{"books":[{}]}"#).items == [BookQuery()])
    }

    @Test("limits count characters, each of which may have the four bytes of one code point")
    func characters() throws {
        func title(_ character: String, _ count: Int) throws {
            _ = try read("{\"books\":[{\"title\":\"\(String(repeating: character, count: count))\"}]}")
        }
        #expect(throws: Never.self) { try title("📚", 500) }
        #expect(throws: Never.self) { try title("e\u{301}", 500) }
        #expect(throws: APIFailure.self) { try title("📚", 501) }
        #expect(throws: APIFailure.self) { try title("e\u{301}", 501) }
    }

    @Test("a single character with marks without end is refused by its bytes, at its place")
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

    @Test("equal rows have equal digests, and moving a character between members changes them")
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

    @Test("pages keep the order and stay below the limit, with the worst escapes")
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
