import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Import frames")
struct ImportFrameTests {
    @Test(
        "an import sends its start, progress by bytes read, and its end, and its socket closes some seconds later")
    func story() throws {
        let host = try TestHost()
        let begun = try host.startImport(bytes: 1_000, lines: 200)
        let socket = try host.watch(token: begun.token)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        try worker.tell(250, of: step)
        host.advance(by: .seconds(1))
        _ = try worker.deliver(["Dune"], page: 0, bytesRead: 750, of: step)
        try worker.finish(step, pages: 1, books: 98, errors: 2)
        let story = host.proxy.take(socket)
        #expect(
            story.types == ["ready_ack", "job_started", "job_progress", "job_progress", "job_complete"])
        let (started, first, second, end) = (
            story.frames[1].payload, story.frames[2].payload, story.frames[3].payload, story.frames[4].payload
        )
        #expect(started?["totalItems"]?.integer == 200)
        #expect(started?["estimated"] == .flag(true))
        #expect(first?["status"]?.text == "Reading your library")
        #expect(first?["userMessage"]?.text == "📄 Reading your library export... 25% complete")
        #expect(first?["processedCount"]?.integer == 50)
        #expect(first?["currentItem"]?.text == "library.csv")
        #expect(second?["percentage"]?.integer == 75)
        #expect(second?["status"]?.text == "Adding books to your library")
        #expect(end?["booksCount"]?.integer == 98)
        #expect(end?["successRate"]?.text == "98/100")
        #expect(end?["totalProcessed"]?.integer == 100)
        #expect(end?["failureCount"]?.integer == 2)
        #expect(end?["summary"]?["totalDetected"]?.text == "n/a")
        #expect(end?["resultsUrl"]?.text == "/v1/csv/results/job-under-test")
        #expect(end?["books"] == nil)
        #expect(end?["enrichment"] == nil)
        #expect(story.frames.allSatisfy { !$0.json.hasNull })
        #expect(story.frames.allSatisfy { $0.bytes.count < 1_024 })
        #expect(story.close == nil)
        host.advance(by: .seconds(11))
        #expect(host.proxy.take(socket).close == .normal)
    }

    @Test("progress never decreases, even when the file is read again")
    func monotone() throws {
        let host = try TestHost()
        let begun = try host.startImport(bytes: 1_000, lines: 200)
        let socket = try host.watch(token: begun.token)
        let first = try TestWorker(host)
        try first.tell(600, of: try #require(try first.claimFile()))
        try first.disconnect()
        host.advance(by: .seconds(1))
        let second = try TestWorker(host)
        let step = try #require(try second.claimFile())
        for bytes in [0, 300, 500, 900, 5_000] {
            try second.tell(bytes, of: step)
            host.advance(by: .seconds(1))
        }
        let shares = host.proxy.take(socket).frames.filter { $0.type == "job_progress" }.compactMap {
            $0.payload?["percentage"]?.integer
        }
        #expect(shares == shares.sorted())
        #expect(shares.last == 100)
        try host.restart()
        #expect(try host.progress(token: begun.token).progress == 1)
    }

    @Test("a failed import reports what is wrong with the file, and the socket closes with 1011")
    func failure() throws {
        let host = try TestHost()
        let begun = try host.startImport()
        let socket = try host.watch(token: begun.token)
        let worker = try TestWorker(host)
        let message =
            "No column looks like a title. Columns found: Naam, Prijs, Aantal. Specify the title column with mapping."
        try worker.fail(try #require(try worker.claimFile()), ImportFault(.csvParseError, message, lineNumber: 7))
        let story = host.proxy.take(socket)
        let payload = story.frames.last?.payload
        #expect(payload?["code"]?.text == "E_CSV_PROCESSING_FAILED")
        #expect(payload?["error"]?["code"]?.text == "CSV_PARSE_ERROR")
        #expect(payload?["message"]?.text == message)
        #expect(payload?["retryable"]?.flag == false)
        #expect(payload?["details"]?["lineNumber"]?.integer == 7)
        #expect(payload?["details"]?["fileName"]?.text == "library.csv")
        #expect(payload?["details"]?["fileSize"]?.integer == 1_000)
        #expect(story.close == .internalError)
    }

    @Test(
        "the error for a file with too many rows has its own code, and its details contain the number of rows and the limit"
    )
    func tooManyRows() throws {
        let host = try TestHost()
        let begun = try host.startImport()
        let socket = try host.watch(token: begun.token)
        let worker = try TestWorker(host)
        var fault = ImportFault(.batchTooLarge, "The file has 60000 rows.")
        (fault.rows, fault.limit) = (60_000, 50_000)
        try worker.fail(try #require(try worker.claimFile()), fault)
        let payload = host.proxy.take(socket).frames.last?.payload
        #expect(payload?["error"]?["code"]?.text == "BATCH_TOO_LARGE")
        #expect(payload?["details"]?["rows"]?.integer == 60_000)
        #expect(payload?["details"]?["limit"]?.integer == 50_000)
    }

    @Test("the last frame of a cancelled import reports no row as found, however much of the file was read")
    func cancelled() throws {
        let host = try TestHost()
        let begun = try host.startImport()
        let socket = try host.watch(token: begun.token)
        let worker = try TestWorker(host)
        try worker.tell(500, of: try #require(try worker.claimFile()))
        host.advance(by: .seconds(1))
        #expect(host.proxy.take(socket).frames.last?.payload?["successCount"]?.integer == 50)
        _ = try host.cancel(token: begun.token)
        let payload = host.proxy.take(socket).frames.last?.payload
        #expect(payload?["status"]?.text == "job_cancelled")
        #expect(payload?["successCount"]?.integer == 0)
        #expect(payload?["processedCount"]?.integer == 50)
    }

    /// The payload and the size of the terminal frame of an import started on a shipped app's route.
    private func end(books: [String], errors: [String], limit: Int) throws -> (payload: JSON?, size: Int) {
        var policy = HostPolicy()
        policy.completionBooksLimit = limit
        let host = try TestHost(policy)
        let begun = try host.startImport(origin: JobOrigin(client: "c", completionBooks: .imported))
        let socket = try host.watch(token: begun.token)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        var page = 0
        for (part, titles) in [(ImportPart.books, books), (.errors, errors)] where !titles.isEmpty {
            _ = try worker.deliver(titles, page: page, part: part, of: step)
            page += 1
        }
        try worker.finish(step, pages: page, books: books.count, errors: errors.count)
        host.advance(by: .seconds(1))
        let frame = host.proxy.take(socket).frames.last
        return (frame?.payload, frame?.bytes.count ?? 0)
    }

    @Test("shipped apps receive the books and the errors in the terminal frame")
    func completionBooks() throws {
        let payload = try end(books: ["Dune", "Emma"], errors: ["bad"], limit: 900 << 10).payload
        #expect(payload?["books"]?.list?.map { $0["title"]?.text } == ["Dune", "Emma"])
        #expect(payload?["books"]?.list?.first?["error"]?.text == "none")
        #expect(payload?["errors"]?.list?.map { $0["title"]?.text } == ["bad"])
        #expect(payload?["successRate"]?.text == "2/3")
    }

    @Test(
        "if the rows do not fit into the frame, all are shortened, and if they still do not fit, all are left out")
    func longCompletionBooks() throws {
        let titles = (0..<100).map { "Book \($0)" }
        let short = try end(books: titles, errors: ["bad"], limit: 6_500).payload
        #expect(short?["books"]?.list?.count == 100)
        #expect(short?["books"]?.list?.first?["error"] == nil)
        #expect(short?["books"]?.list?.first?["isbn"]?.text == "9780441172719")
        #expect(short?["errors"]?.list?.first?["error"]?.text == "none")
        let none = try end(books: titles, errors: ["bad"], limit: 1_000).payload
        #expect(none?["books"] == .list([]))
        #expect(none?["errors"] == .list([]))
        let empty = try end(books: [], errors: [], limit: 1_000).payload
        #expect(empty?["books"] == .list([]))
    }

    @Test("the terminal frame is replayed byte for byte, even after a restart")
    func replay() throws {
        let host = try TestHost()
        let begun = try host.startImport(enrich: true)
        let socket = try host.watch(token: begun.token)
        try TestWorker(host).readFile(["Dune"])
        let live = try #require(host.proxy.take(socket).frames.last)
        #expect(live.payload?["enrichment"]?["jobId"]?.text == begun.enrichment?.jobId.text)
        #expect(live.payload?["enrichment"]?["token"] == nil)
        try host.restart()
        let again = try host.watch(token: begun.token)
        let replayed = host.proxy.take(again).frames.first { $0.type == "job_complete" }
        #expect(
            replayed.map { String(decoding: $0.bytes, as: UTF8.self) } == String(decoding: live.bytes, as: UTF8.self))
    }
}
