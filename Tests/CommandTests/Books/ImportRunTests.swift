import BookstrackClient
import BookstrackContract
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import BookstrackCLI

@Suite("The import command")
final class ImportRunTests {
    private static let job = JobID.random()
    private static let linked = JobID.random()

    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "bookstrack-import-\(UUID().uuidString)")
    private var tokens: SavedTokens { SavedTokens(path: folder.appending(path: "tokens.json").path) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Serves uploads and results, and the sockets of the import and of the linked job. `onUpload` receives the number of an upload, counted from 0,
    /// and can respond instead.
    private func server(
        onUpload: @escaping @Sendable (Int) -> ScriptedServer.Reaction? = { _ in nil },
        failing: JobErrorPayload? = nil, results: ScriptedServer.Reaction = .success(200, Samples.results)
    ) -> ScriptedServer {
        let uploads = NIOLockedValueBox(0)
        return ScriptedServer(
            react: { _, request in
                guard request.head.method == .POST else { return results }
                let number = uploads.withLockedValue { count in
                    defer { count += 1 }
                    return count
                }
                let started = StartedImport(
                    jobId: Self.job, token: "T", status: .pending, filename: "a.csv", bytes: 3, estimate: .libraryFile,
                    enrichment: .init(jobId: Self.linked, token: "U"))
                return onUpload(number) ?? .success(202, started)
            },
            script: { _, head in
                let isImport = head.uri.contains(Self.job.text)
                let frames = JobFrames(job: isImport ? Self.job : Self.linked, total: 2)
                let end = try? failing.map { try frames.failed(seq: 3, $0) } ?? frames.complete(seq: 3, found: 2)
                return .init(
                    greeting: [try? frames.started(seq: 1), try? frames.progress(seq: 2, found: 1)].compactMap { $0 },
                    replies: [[end, .close(1000)].compactMap { $0 }])
            })
    }

    /// Runs `body` against a server; pauses take no time.
    private func run<Value>(
        _ server: ScriptedServer, _ output: ProgressOutput = .lines,
        _ body: (ImportRun, LibraryFile) async throws -> Value
    ) async throws -> Value {
        let port = try await server.start()
        let tokens = RunTokens(tokens, at: try ServerAddress(host: "127.0.0.1", port: port)) { _ in }
        let run = ImportRun(
            client: try .loopback(port: port, tokens: tokens), output: output, calls: RetryingCalls(pause: { _ in }))
        let file = LibraryFile(name: "a.csv", content: Data("Title\nDune\n".utf8))
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(run, file))
        } catch {
            outcome = .failure(error)
        }
        await server.stop()
        return try outcome.get()
    }

    @Test("an import's books are read when it ends, and the tokens of both its jobs are stored")
    func success() async throws {
        let (results, report) = try await run(server()) { run, file in
            let started = try await run.start(file, jobID: Self.job, enriches: true)
            let results = try await run.results(of: started)
            return (results, await run.watch(try #require(started.enrichment), books: 2))
        }
        #expect(results == Samples.results)
        #expect(report.job == Self.linked)
        #expect(report.status == .completed)
        #expect(try tokens.entries().map(\.token) == ["T", "U"])
    }

    @Test(
        "an import's step is erased from the terminal before the results or an error message is printed",
        arguments: [200, 502])
    func emptyLine(status: Int) async throws {
        let drawn = NIOLockedValueBox<[String]>([])
        let bar = ProgressBar(columns: 80, unicode: false) { text in drawn.withLockedValue { $0.append(text) } }
        let server = server(results: status == 200 ? .success(200, Samples.results) : .answer(status, [:], [""]))
        _ = try? await run(server, .bar(bar)) { run, file in
            try await run.results(of: run.start(file, jobID: Self.job, enriches: true))
        }
        let texts = drawn.withLockedValue(\.self)
        #expect(texts.first?.hasSuffix("Waiting to be read") == true)
        #expect(texts.last == "\r\u{1B}[K")
    }

    @Test("an upload whose response was lost is repeated with the same identifier")
    func lostAnswer() async throws {
        let server = server(onUpload: { $0 == 0 ? .drop : nil })
        let started = try await run(server) { run, file in
            try await run.start(file, jobID: Self.job, enriches: true)
        }
        #expect(started.jobId == Self.job)
        // Only the boundary between the parts differs.
        let bodies = server.requests.map { request in
            let body = String(buffer: request.body)
            return body.replacingOccurrences(of: body.prefix { $0 != "\r\n" }, with: "")
        }
        #expect(bodies.count == 2)
        #expect(Set(bodies).count == 1)
        #expect(bodies[0].contains("name=\"jobId\"\r\n\r\n\(Self.job)\r\n"))
    }

    @Test("if the results cannot be read, the message names the job and the command that reads them later")
    func unreadable() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await self.run(self.server(results: .answer(502, [:], [""]))) { run, file in
                _ = try await run.results(of: run.start(file, jobID: Self.job, enriches: true))
            }
        }
        #expect(failure?.status == .unavailable)
        #expect(failure?.message.hasPrefix("job \(Self.job): ") == true)
        #expect(failure?.message.hasSuffix("read the results with: bookstrack results \(Self.job.short)") == true)
    }

    @Test("a file that cannot be used ends the command with the server's reason and exit status 65")
    func unusable() async throws {
        let payload = JobErrorPayload(
            code: .csvProcessingFailed, message: "No column looks like a title.", userMessage: "", retryable: false,
            affectedItems: [], details: .init(successCount: 0, failureCount: 0))
        await #expect(throws: CommandFailure(.badInput, "No column looks like a title.")) {
            try await self.run(self.server(failing: payload)) { run, file in
                _ = try await run.results(of: run.start(file, jobID: Self.job, enriches: true))
            }
        }
    }
}

@Suite("A file that is rejected before it is imported")
struct RefusedImportTests {
    @Test(
        "a rejected file gives exit status 65, as a failed import does, and the advice names the command-line option",
        arguments: [400, 413, 415])
    func refused(status: Int) async throws {
        let refusal = FailureEnvelope(
            error: .init(
                message: "No column looks like a title. Specify the title column with mapping.", code: .invalidRequest,
                details: nil, retryable: false, statusCode: status),
            metadata: ResponseMetadata(timestamp: ""))
        let text = String(decoding: try JSONEncoder().encode(refusal), as: UTF8.self)
        let server = ScriptedServer(react: { _, _ in .answer(status, [:], [text]) })
        let client = try BookstrackClient.loopback(port: try await server.start())
        let run = ImportRun(client: client, output: .lines, calls: RetryingCalls(pause: { _ in }))
        let file = LibraryFile(name: "a.csv", content: Data("x".utf8))
        let preview = await #expect(throws: CommandFailure.self) { _ = try await run.preview(file) }
        let start = await #expect(throws: CommandFailure.self) { _ = try await run.start(file, enriches: true) }
        for failure in [preview, start] {
            #expect(failure?.status == .badInput)
            #expect(failure?.message.contains("Specify the title column with --map COLUMN=title.") == true)
        }
        await server.stop()
    }
}

@Suite("Photos that are rejected before they are scanned")
struct RefusedScanTests {
    @Test("the progress of the upload is erased from the terminal before the reason is printed")
    func emptyLine() async throws {
        let server = ScriptedServer(react: { _, _ in .answer(415, [:], [""]) })
        let client = try BookstrackClient.loopback(port: try await server.start())
        let drawn = NIOLockedValueBox<[String]>([])
        let bar = ProgressBar(columns: 80, unicode: false) { text in drawn.withLockedValue { $0.append(text) } }
        let upload = PhotoUpload(photos: [try .init(name: "shelf.jpg", bytes: Data(SampleImage.jpeg.file))])
        let failure = await #expect(throws: CommandFailure.self) {
            _ = try await ScanRun(client: client, output: .bar(bar)).start(upload)
        }
        #expect(failure?.status == .badInput)
        let texts = drawn.withLockedValue(\.self)
        #expect(texts.first?.contains("Uploading 1 photo") == true)
        #expect(texts.last == "\r\u{1B}[K")
        await server.stop()
    }
}

@Suite("The results of an import or a scan started earlier")
struct EndedImportTests {
    private let job = JobID.random()

    /// A client of a server that responds as the API does for an import: only the import's route returns its results. With `details`, the import
    /// has none.
    private func client(
        _ details: [String: DetailValue]? = nil, reason: String = "The import has no results. It was cancelled."
    ) async throws -> BookstrackClient {
        let refusal = FailureEnvelope(
            error: .init(
                message: reason, code: .notFound,
                details: details ?? ["jobId": .text(job.text), "pipeline": "csv_import"], retryable: false,
                statusCode: 404),
            metadata: ResponseMetadata(timestamp: ""))
        let success = SuccessEnvelope(data: Samples.results, metadata: ResponseMetadata(timestamp: ""))
        let texts = try (refused: JSONEncoder().encode(refusal), answered: JSONEncoder().encode(success))
        let server = ScriptedServer(react: { _, request in
            details == nil && request.head.uri.hasPrefix("/v1/csv/results/")
                ? .answer(200, [:], [String(decoding: texts.answered, as: UTF8.self)])
                : .answer(404, [:], [String(decoding: texts.refused, as: UTF8.self)])
        })
        return try .loopback(port: try await server.start())
    }

    @Test(
        "a scan with no results is reported with the reason, which determines the exit status",
        arguments: [("failed", BookstrackCLI.ExitStatus.jobFailed), ("cancelled", .cancelled)])
    func scanWithoutResults(status: String, exit: BookstrackCLI.ExitStatus) async throws {
        let client = try await client(["jobId": .text(job.text), "status": .text(status)])
        var report = ResultsReport(.table, OutputStyle(width: 80, colors: false), write: { _ in })
        let read = try await ResultsFetch(client: client, output: .lines).read([JobReport(job: job)], into: &report)
        let failure = try #require(read.first?.failure)
        #expect(failure.status == exit)
        #expect(failure.message.contains(status == "failed" ? "It was cancelled." : "was cancelled"))
        #expect(!failure.message.contains("bookstrack watch"))
    }

    private func run(_ client: BookstrackClient) -> ImportRun {
        ImportRun(client: client, output: .lines, calls: RetryingCalls(pause: { _ in }))
    }

    @Test("a job with import results is recognized, and its books are read from the import's route")
    func recognized() async throws {
        let client = try await client()
        var report = ResultsReport(.json, OutputStyle(width: 80, colors: false), write: { _ in })
        let read = try await ResultsFetch(client: client, output: .lines).read([JobReport(job: job)], into: &report)
        #expect(read.map(\.otherPipeline) == [.csvImport])
        #expect(read.first?.failure?.status == .usage)
        #expect(try await run(client).results(ofEnded: job) == Samples.results)
    }

    @Test(
        "an import with no results is reported with the reason, which determines the exit status",
        arguments: [
            ("failed", BookstrackCLI.ExitStatus.badInput), ("cancelled", .cancelled), ("processing", .tryLater),
        ])
    func withoutResults(status: String, exit: BookstrackCLI.ExitStatus) async throws {
        let client = try await client(["jobId": .text(job.text), "status": .text(status)])
        await #expect(throws: CommandFailure(exit, "The import has no results. It was cancelled.")) {
            try await self.run(client).results(ofEnded: self.job)
        }
    }

    @Test("the advice about a failed import names the command-line option")
    func advice() async throws {
        let reason = "The import has no results. No column looks like a title. Specify the title column with mapping."
        let client = try await client(["jobId": .text(job.text), "status": "failed"], reason: reason)
        let failure = await #expect(throws: CommandFailure.self) {
            try await self.run(client).results(ofEnded: self.job)
        }
        #expect(failure?.message.hasSuffix("Specify the title column with --map COLUMN=title.") == true)
    }
}

@Suite("A failed import or scan behind a proxy that allows only polling", .timeLimit(.minutes(1)))
struct PolledFailureTests {
    private let job = JobID.random()

    /// A server on which the job has failed, behind the proxy.
    private func server(_ pipeline: Pipeline) -> ScriptedServer {
        ScriptedServer(
            react: { [job] _, request in
                guard !request.head.uri.contains("/events"), !request.head.uri.hasPrefix("/ws/") else {
                    return .answer(403, [:], [])
                }
                if request.head.uri.hasPrefix("/v1/jobs/") {
                    var state = JobState(jobId: job, pipeline: pipeline, totalCount: 1, createdAt: "")
                    (state.status, state.lastSeq) = (.failed, 2)
                    return .success(200, state)
                }
                let refusal = FailureEnvelope(
                    error: .init(
                        message: "The reason.", code: .notFound, details: ["status": "failed"], retryable: false,
                        statusCode: 404), metadata: ResponseMetadata(timestamp: ""))
                guard let text = try? JSONEncoder().encode(refusal) else { return .drop }
                return .answer(404, [:], [String(decoding: text, as: UTF8.self)])
            })
    }

    private func client(of server: ScriptedServer) async throws -> BookstrackClient {
        let tokens = MemoryTokenStore()
        await tokens.save("T", of: job)
        return try .loopback(port: try await server.start(), tokens: tokens)
    }

    @Test("an import ends with the reason why the file could not be used")
    func failedImport() async throws {
        let server = server(.csvImport)
        let run = ImportRun(client: try await client(of: server), output: .lines, calls: RetryingCalls(pause: { _ in }))
        let started = StartedImport(
            jobId: job, token: "T", status: .pending, filename: "a.csv", bytes: 3, estimate: .libraryFile,
            enrichment: nil)
        await #expect(throws: CommandFailure(.badInput, "The reason.")) { _ = try await run.results(of: started) }
        await server.stop()
    }

    @Test("a scan ends with the reason why no photo could be read")
    func failedScan() async throws {
        let server = server(.aiScan)
        let run = ScanRun(client: try await client(of: server), output: .lines, calls: RetryingCalls(pause: { _ in }))
        let started = StartedBatchScan(jobId: job, token: "T", totalPhotos: 1)
        await #expect(throws: CommandFailure(.jobFailed, "The reason.")) {
            _ = try await run.results(of: started, names: ["shelf.jpg"])
        }
        await server.stop()
    }
}

@Suite("The import file")
struct LibraryArgumentTests {
    @Test("an import file keeps its name and has the given options, and the last of two roles for one column is used")
    func options() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "books.csv").path
        try Data("Naam\nDune\n".utf8).write(to: URL(filePath: path))
        let mapping = [ColumnRole.author, .title].map { MappingArgument(column: "Naam", role: $0) }
        let file = try LibraryFile(argument: path, format: .goodreads, mapping: mapping, mayAskModel: false)
        let content = Data("Naam\nDune\n".utf8)
        #expect(
            file
                == LibraryFile(
                    name: "books.csv", content: content, columns: ["Naam": .title], format: .goodreads,
                    mayAskModel: false))
    }

    @Test("an empty file and a missing file are rejected before anything is sent")
    func absent() throws {
        let empty = FileManager.default.temporaryDirectory.appending(path: "empty-\(UUID().uuidString)")
        try Data().write(to: empty)
        defer { try? FileManager.default.removeItem(at: empty) }
        for (file, status) in [(empty.path, ExitStatus.badInput), ("/nonexistent.csv", .noInput)] {
            let failure = #expect(throws: CommandFailure.self) { try LibraryFile(argument: file) }
            #expect(failure?.status == status)
        }
    }

    @Test(
        "a mapping consists of a column and a role, and the column may contain an equals sign",
        arguments: [
            ("Naam=title", MappingArgument(column: "Naam", role: .title)), ("3=isbn", .init(column: "3", role: .isbn)),
            ("a=b=author", .init(column: "a=b", role: .author)), ("Naam", nil), ("=title", nil), ("Naam=titel", nil),
        ])
    func mapping(argument: String, mapping: MappingArgument?) {
        #expect(MappingArgument(argument: argument) == mapping)
    }
}

@Suite("The import report")
struct ImportTextTests {
    private let text = ImportText(style: OutputStyle(width: 80, colors: false))

    @Test("an import is shown with its format, its books by status, and the rows that could not be used")
    func results() throws {
        let job = try #require(JobID("f2fe9772-34a0-4b9e-9f9e-0c6f5b0a4f4e"))
        #expect(
            text.text(Samples.results, of: job, at: try ServerAddress(host: "h", port: 1)) == """
                Goodreads export, utf-8, 2 of 3 columns used.
                2 books from 5 rows: 1 read, 1 without a status.
                1 row repeats a book.
                1 row is not a book.

                Could not be used (1):
                Row  Line  Title  Why
                ---  ----  -----  ---------------------
                  4     5         the row names no book

                Download these rows: http://h:1/v1/csv/results/\(job)?format=csv&rows=failed

                """)
    }

    @Test("an import without usable rows is shown with the number of its rows")
    func noBooks() throws {
        var results = Samples.results
        (results.books, results.booksCreated) = ([], 0)
        #expect(
            try text.text(results, of: .random(), as: .table).hasPrefix("0 books from 5 rows.\n1 row repeats a book.\n")
        )
    }

    @Test("an import's results are shown as books and unusable rows, as JSON, or as CSV that can be imported again")
    func formats() throws {
        let job = JobID.random()
        let table = try text.text(Samples.results, of: job, as: .table)
        #expect(table.hasPrefix("Title  Authors"))
        #expect(table.contains("\nDune   Frank Herbert"))
        #expect(table.contains("\n2 books from 5 rows: 1 read, 1 without a status.\n"))
        #expect(table.contains("the row names no book"))
        let json = try text.text(Samples.results, of: job, as: .json)
        #expect(try JSONDecoder().decode(ImportResults.self, from: Data(json.utf8)) == Samples.results)
        #expect(json.contains("\"jobId\" : \"\(job)\""))
        let lines = try text.text(Samples.results, of: job, as: .csv).split(separator: "\r\n")
        #expect(lines.first?.hasPrefix("title,subtitle,author,") == true)
        #expect(lines.first?.hasSuffix(",Colour") == true)
        #expect(lines.dropFirst().map { $0.prefix(4) } == ["Dune", "Emma"])
    }

    @Test("a preview shows each column with its role and a sample")
    func preview() {
        let preview = ImportPreview(
            source: Samples.source, totalRows: 5, books: Samples.books, errors: [], duplicates: 0)
        let lines = text.text(preview).split(separator: "\n").map(String.init)
        #expect(lines.contains("Title   title   Dune    100 %  format"))
        #expect(lines.contains("Shelf   status  read     80 %  header"))
        #expect(lines.contains("Colour  -       red"))
        #expect(lines.contains("5 rows."))
    }
}

/// Sample values for tests of texts and runs.
private enum Samples {
    static let source = ImportSource(
        format: .goodreads, confidence: 1, encoding: "utf-8", delimiter: ",", lineEnd: "lf", hasHeader: true,
        columns: [
            ImportColumn(index: 0, header: "Title", role: .title, confidence: 1, by: .format),
            ImportColumn(index: 1, header: "Shelf", role: .status, confidence: 0.8, by: .header),
            ImportColumn(index: 2, header: "Colour"),
        ])

    static let books = {
        var first = ImportedBook(row: 1, lineNumber: 2, title: "Dune", author: "Frank Herbert")
        first.status = .read
        first.raw = RawCells([.init(column: "Colour", text: "red")])
        return [first, ImportedBook(row: 2, lineNumber: 3, title: "Emma", author: "Jane Austen")]
    }()

    static let results = ImportResults(
        books: books,
        errors: [
            ImportRowError(
                row: 4, lineNumber: 5, title: "", isbn: nil, error: "the row names no book", code: .noTitle,
                raw: RawCells())
        ],
        skipped: [SkippedRow(row: 5, lineNumber: 6, reason: .otherMedia)], successRate: "3/4", timestamp: 0,
        totalRows: 5, skippedRows: 1, duplicatesSkipped: 1, booksCreated: 2, booksUpdated: 0, source: source,
        metadata: .init(processingTime: 3), resultsRevision: 0, expiresAt: "2026-01-01T00:00:00.000Z")
}
