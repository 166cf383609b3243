import BookstrackContract
import JSONRPC
import NIOCore
import Observability
import SuiteMethods
import TestSupport
import Testing

/// Bodies of the methods about work and imports (jobs.md "Work", imports.md and scans.md "Life").
@Suite("JSON of work methods")
struct WorkMethodFormTests {
    private static let job = JobID("job-under-test")!
    private static let key = ReadingStepKey(jobId: job, attempt: 2)
    private static let trace = TraceContext(traceID: "0af7651916cd43dd8448eb211c80319c", requestID: "my-request")

    @Test("a worker attaches with the items that it has, and learns which of them are no longer needed")
    func attach() throws {
        #expect(AttachWorker.name == "work.attach")
        let text = #"{"held":[{"jobId":"job-under-test","index":4}]}"#
        #expect(try WireForm.of(AttachWorker.Parameters(held: [ItemKey(jobId: Self.job, index: 4)])) == text)
        #expect(try WireForm.read(AttachWorker.Parameters.self, text).held == [ItemKey(jobId: Self.job, index: 4)])
        #expect(try WireForm.of(AttachWorker.Result(unwanted: [])) == #"{"unwanted":[]}"#)
    }

    @Test("a worker claims a limited number of items from one scope")
    func claim() throws {
        #expect(ClaimWork.name == "work.claim")
        #expect(
            try WireForm.of(
                ClaimWork.Parameters(limit: 100, perJob: 25, waitMilliseconds: 30_000, scope: .firstLookups))
                == #"{"limit":100,"perJob":25,"waitMilliseconds":30000,"scope":"firstLookups"}"#)
        #expect(ClaimWork.Scope.allCases.map(\.rawValue) == ["firstLookups", "interactive", "later"])
    }

    @Test("a claimed item contains its query, class, attempts and trace")
    func item() throws {
        let item = ClaimedItem(
            key: ItemKey(jobId: Self.job, index: 4), query: BookQuery(title: "Dune"), workClass: .bulk, attempts: 1,
            client: "c", trace: Self.trace)
        let text = WireForm.line(
            """
            {"key":{"jobId":"job-under-test","index":4},"query":{"title":"Dune"},"workClass":"bulk","attempts":1,
            "client":"c","traceId":"0af7651916cd43dd8448eb211c80319c","requestId":"my-request"}
            """)
        #expect(try WireForm.of(item) == text)
        #expect(try WireForm.read(ClaimedItem.self, text).trace == Self.trace)
        #expect(
            try WireForm.requiredMembers(of: ClaimedItem.self, in: text) == [
                "attempts", "client", "key", "query", "workClass",
            ])
    }

    @Test("the raw encoding of claimed items is the same as that of their Codable conformance")
    func rawClaim() throws {
        let spine = SpineItem(
            photo: 1, engine: "gemini",
            reading: DetectedSpine(text: "DUNE", title: nil, author: nil, isbn: nil, box: .whole, confidence: 0.5))
        let items = [
            ClaimedItem(
                key: ItemKey(jobId: Self.job, index: 4),
                query: BookQuery(
                    title: #"A "quoted" \ title"#, author: "Ann\tAuthor", isbn: "9780441172719", workId: "w", row: 7),
                workClass: .bulk, attempts: 1, client: "c", spine: spine, trace: Self.trace),
            ClaimedItem(
                key: ItemKey(jobId: Self.job, index: 5), query: BookQuery(), workClass: .interactive, attempts: 0),
        ]
        for result in [ClaimWork.Result(items: []), ClaimWork.Result(items: items)] {
            #expect(String(buffer: try result.raw()) == (try WireForm.of(result)))
        }
    }

    @Test("a trace whose request has no identifier of its own is sent without a request identifier")
    func plainTrace() throws {
        let trace = try #require(TraceContext(traceID: "0af7651916cd43dd8448eb211c80319c", requestID: nil))
        let item = ClaimedItem(
            key: ItemKey(jobId: Self.job, index: 0), query: BookQuery(), workClass: .interactive, attempts: 0,
            trace: trace)
        #expect(item.requestId == nil)
        #expect(item.trace == trace)
    }

    @Test("an item of a scan contains the spine that was read")
    func spine() throws {
        let item = SpineItem(
            photo: 1, engine: "reader",
            reading: DetectedSpine(text: "DUNE", title: nil, author: nil, isbn: nil, box: .whole, confidence: 0.5))
        let text = WireForm.line(
            """
            {"photo":1,"engine":"reader","reading":{"text":"DUNE","isBarcode":false,
            "box":{"x":0,"y":0,"width":1,"height":1,"x1":0,"y1":0,"x2":1,"y2":1},"confidence":0.5}}
            """)
        #expect(try WireForm.of(item) == text)
        #expect(try WireForm.read(SpineItem.self, text) == item)
    }

    @Test("work classes are sorted by priority")
    func classes() {
        #expect(
            [WorkClass.backgroundRetry, .followUp, .interactive, .bulk].sorted()
                == [.interactive, .bulk, .followUp, .backgroundRetry])
        #expect(WorkClass.allCases.map(\.rawValue) == ["interactive", "bulk", "followUp", "backgroundRetry"])
    }

    @Test("recorded work contains its outcomes before its rows")
    func record() throws {
        #expect(RecordWork.name == "work.record")
        var outcome = ItemOutcome(
            key: ItemKey(jobId: Self.job, index: 4), workClass: .bulk, errorCode: .notFound, title: "Dune",
            followUp: .later, rowLength: 17)
        (outcome.isVerified, outcome.identity) = (false, "dune|herbert")
        outcome.measure = ResultMeasure(rawValue: 1 << 44 | 3)
        let work = RecordWork(outcomes: [outcome], rows: [ByteBuffer(string: #"{"success":false}"#)])
        let text = WireForm.line(
            """
            {"outcomes":[{"key":{"jobId":"job-under-test","index":4},"workClass":"bulk","errorCode":"NOT_FOUND",
            "title":"Dune","followUp":"later","rowLength":17,"isVerified":false,"identity":"dune|herbert",
            "measure":17592186044419}],
            "rows":[{"success":false}]}
            """)
        #expect(String(buffer: work.raw()) == text)
        let read = try #require(RecordWork(raw: ByteBuffer(string: text)))
        #expect(read.outcomes[0].isVerified == false)
        #expect(read.outcomes[0].identity == "dune|herbert")
        #expect(read.outcomes[0].errorCode == .notFound)
        #expect(read.outcomes[0].followUp == .later)
    }

    @Test(
        "an outcome with an unknown, malformed or missing value is rejected",
        arguments: [
            ("\"workClass\":\"bulk\"", "\"workClass\":\"express\""),
            ("\"followUp\":\"soon\"", "\"followUp\":\"never\""),
            ("\"title\":\"t\"", "\"title\":\"t\",\"errorCode\":\"STOLEN\""), ("\"index\":0", "\"index\":\"0\""),
            ("\"jobId\":\"job-under-test\"", "\"jobId\":\"x\""), ("\"title\":\"t\",", ""),
        ])
    func refused(part: String, replacement: String) {
        let text = """
            {"outcomes":[{"key":{"jobId":"job-under-test","index":0},"workClass":"bulk","title":"t",\
            "followUp":"soon","rowLength":2}],"rows":[{}]}
            """
        #expect(RecordWork(raw: ByteBuffer(string: text)) != nil)
        #expect(RecordWork(raw: ByteBuffer(string: text.replacing(part, with: replacement))) == nil)
    }

    @Test("work is released by item and withdrawn by job")
    func release() throws {
        #expect(ReleaseWork.name == "work.release")
        #expect(
            try WireForm.of(ReleaseWork.Parameters(items: [ItemKey(jobId: Self.job, index: 0)]))
                == #"{"items":[{"jobId":"job-under-test","index":0}]}"#)
        #expect(WorkWithdrawn.name == "work.withdrawn")
        #expect(try WireForm.of(WorkWithdrawn.Parameters(jobs: [Self.job])) == #"{"jobs":["job-under-test"]}"#)
    }

    @Test("the start of an import contains its file's digest and size")
    func beginImport() throws {
        #expect(BeginImport.name == "imports.begin")
        let parameters = BeginImport.Parameters(
            jobId: Self.job, sha256: "s", fileName: "l.csv", bytes: 9, lines: 3, enrich: true, origin: .peer)
        let text = WireForm.line(
            """
            {"jobId":"job-under-test","sha256":"s","fileName":"l.csv","bytes":9,"lines":3,"options":"{}",
            "enrich":true,"origin":{"client":"peer","completionBooks":"none"}}
            """)
        #expect(try WireForm.of(parameters) == text)
        #expect(
            try WireForm.of(
                BeginImport.Result(
                    jobId: Self.job, token: "T", status: .pending, needsFile: true,
                    enrichment: .init(jobId: JobID("linked-job")!, token: "L")))
                == WireForm.line(
                    """
                    {"jobId":"job-under-test","token":"T","status":"pending","needsFile":true,
                    "enrichment":{"jobId":"linked-job","token":"L"}}
                    """))
        #expect(ImportUploaded.name == "imports.uploaded")
        #expect(try WireForm.of(ImportUploaded.Parameters(jobId: Self.job)) == #"{"jobId":"job-under-test"}"#)
    }

    @Test("a reading step contains the file and the options for reading it")
    func readingStep() throws {
        #expect(ClaimImport.name == "imports.claim")
        #expect(try WireForm.of(ClaimImport.Parameters(waitMilliseconds: 5)) == #"{"waitMilliseconds":5}"#)
        #expect(try WireForm.of(ClaimImport.Result(step: nil)) == "{}")
        let step = ReadingStep(
            key: Self.key, path: "uploads/J/file", fileName: "l.csv", bytes: 9, options: "{}", enrich: false,
            trace: Self.trace)
        let text = WireForm.line(
            """
            {"step":{"key":{"jobId":"job-under-test","attempt":2},"path":"uploads/J/file","fileName":"l.csv","bytes":9,
            "options":"{}","enrich":false,"traceId":"0af7651916cd43dd8448eb211c80319c","requestId":"my-request"}}
            """)
        #expect(try WireForm.of(ClaimImport.Result(step: step)) == text)
        #expect(try WireForm.read(ClaimImport.Result.self, text).step?.trace == Self.trace)
    }

    @Test("a page of imported rows states its attempt and its part")
    func rows() throws {
        #expect(RecordImportRows.name == "imports.rows")
        let rows = RecordImportRows(
            head: .init(
                key: Self.key, page: 3, part: .books, rowCount: 1, bytesRead: 4_096,
                queries: [BookQuery(title: "Emma", row: 1)]),
            rows: ByteBuffer(string: #"[{"title":"Emma"}]"#))
        #expect(
            String(buffer: try rows.raw())
                == WireForm.line(
                    """
                    {"head":{"key":{"jobId":"job-under-test","attempt":2},"page":3,"part":"books","rowCount":1,
                    "bytesRead":4096,"queries":[{"title":"Emma","row":1}]},"rows":[{"title":"Emma"}]}
                    """))
    }

    @Test("a reading step reports its phase, and is released, finished or failed by its key")
    func importEnds() throws {
        let key = #""key":{"jobId":"job-under-test","attempt":2}"#
        #expect(ImportProgress.name == "imports.progress")
        #expect(
            try WireForm.of(ImportProgress.Parameters(key: Self.key, phase: .validating, bytesRead: 5))
                == "{\(key),\"phase\":\"validating\",\"bytesRead\":5}")
        #expect(ReleaseImport.name == "imports.release")
        #expect(try WireForm.of(ReleaseImport.Parameters(key: Self.key)) == "{\(key)}")
        #expect(FailImport.name == "imports.fail")
        #expect(
            try WireForm.of(FailImport.Parameters(key: Self.key, failure: ImportFault(.csvParseError, "m")))
                == "{\(key),\"failure\":{\"code\":\"CSV_PARSE_ERROR\",\"message\":\"m\"}}")
        #expect(FinishImport.name == "imports.finish")
        let source = ImportSource(
            format: .unknown, confidence: 1, encoding: "utf-8", delimiter: ",", lineEnd: "lf", hasHeader: true,
            columns: [])
        let finish = try WireForm.of(
            FinishImport.Parameters(
                key: Self.key, pages: 4, summary: ImportSummary(source: source), modelUsed: "gemini"))
        #expect(finish.hasPrefix("{\(key),\"pages\":4,\"summary\":{\"totalRows\":0,"))
        #expect(finish.hasSuffix("},\"modelUsed\":\"gemini\"}"))
        #expect(try WireForm.of(StepAnswer(isWanted: false)) == #"{"isWanted":false}"#)
    }

    @Test("a preview request contains the file and the options for reading it")
    func preview() throws {
        #expect(PreviewImport.name == "imports.preview")
        #expect(
            try WireForm.of(PreviewImport.Parameters(path: "p", fileName: "l.csv"))
                == #"{"path":"p","fileName":"l.csv","options":"{}"}"#)
    }
}
