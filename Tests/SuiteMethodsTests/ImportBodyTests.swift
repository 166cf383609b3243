import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@Suite("Raw import bodies")
struct ImportBodyTests {
    private static let rows = ["", "{}", #"{"title":"],\"rows\":[","a":[1]},{"b":"\"books\",{"}"#]

    private func head(_ part: ImportPart, _ queries: [BookQuery]?) -> RecordImportRows.Head {
        .init(
            key: ReadingStepKey(jobId: JobID("job-under-test")!, attempt: 2), page: 7, part: part, rowCount: 2,
            bytesRead: 11, queries: queries)
    }

    @Test("delivered rows are unchanged by encoding and decoding", arguments: ImportPart.allCases, rows)
    func delivery(part: ImportPart, rows: String) throws {
        for queries in [nil, [], [BookQuery(title: #"","rows":["#, author: "A", row: 3)]] as [[BookQuery]?] {
            let delivery = RecordImportRows(head: head(part, queries), rows: ByteBuffer(string: "[\(rows)]"))
            let read = try #require(RecordImportRows(raw: try delivery.raw()))
            #expect(read.head == delivery.head)
            #expect(String(buffer: read.joinedRows) == rows)
        }
    }

    @Test(
        "a malformed body is not decoded as delivered rows",
        arguments: ["", "{}", #"{"head":{},"rows":[]}"#, #"{"rows":[]}"#, #"[{"head":{}}]"#])
    func malformedDelivery(text: String) {
        #expect(RecordImportRows(raw: ByteBuffer(string: text)) == nil)
    }

    @Test("delivered rows that are not a list are rejected")
    func rowsThatAreNoList() throws {
        let delivery = RecordImportRows(head: head(.books, nil), rows: ByteBuffer(string: #"{"title":"Dune"}"#))
        #expect(RecordImportRows(raw: try delivery.raw()) == nil)
    }

    @Test("a page of an import's results is unchanged by encoding and decoding", arguments: ImportPart.allCases, rows)
    func page(part: ImportPart, rows: String) {
        for next in [nil, 0, 5, Int.max] as [Int?] {
            let page = ImportRowsPage(next: next, part: part, rows: ByteBuffer(string: rows))
            #expect(ImportRowsPage(raw: page.raw) == page)
        }
    }

    @Test(
        "a malformed body is not decoded as a page of an import's results",
        arguments: ["", "[]", "[1]", "[1,{}]", #"[1,"films"]"#, #"[1,"books"{}]"#])
    func malformedPage(text: String) {
        #expect(ImportRowsPage(raw: ByteBuffer(string: text)) == nil)
    }

    @Test("the head of an import's results with the first page is unchanged by encoding and decoding", arguments: rows)
    func results(rows: String) throws {
        var head = ReadImportResults.Head(
            jobId: JobID("job-under-test")!, status: .failed, resultsRevision: 1,
            expiresAt: "2025-11-16T20:00:00.000Z", endedAt: 5, processingTime: 3, fileName: #"","page":[ .csv"#,
            fileSize: 11)
        head.failure = ImportFault(.csvParseError, "No column looks like a title.", lineNumber: 2)
        let results = ReadImportResults(
            head: head, page: ImportRowsPage(next: 4, part: .errors, rows: ByteBuffer(string: rows)))
        let read = try #require(ReadImportResults(raw: try results.raw()))
        #expect(read.head == head)
        #expect(read.page == results.page)
    }
}
