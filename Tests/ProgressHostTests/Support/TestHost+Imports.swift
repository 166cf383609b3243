import BookstrackContract
import Foundation
import JSONRPC
import NIOCore
import Observability
import SuiteMethods

@testable import ProgressHost

extension TestHost {
    var uploads: UploadFolder { UploadFolder(dataDirectory: directory) }

    /// Reserves an import.
    @discardableResult
    func beginImport(
        _ id: JobID = jobID, sha256: String = "sha", bytes: Int = 1_000, lines: Int = 100, enrich: Bool = false,
        origin: JobOrigin = JobOrigin(client: "c")
    ) throws -> BeginImport.Result {
        let parameters = BeginImport.Parameters(
            jobId: id, sha256: sha256, fileName: "library.csv", bytes: bytes, lines: lines, options: "{\"a\":1}",
            enrich: enrich, origin: origin)
        return try perform(durable: true) { engine, turn in try engine.beginImport(parameters, turn) }
    }

    /// Moves a file into place, as api-proxy does.
    func putFile(of id: JobID = jobID) throws {
        let path = URL(filePath: uploads.path(of: id, UploadFolder.libraryFile))
        try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("Title\nDune\n".utf8).write(to: path)
    }

    func noteUpload(of id: JobID = jobID) throws {
        try perform(durable: true) { engine, turn in try engine.importUploaded(id, turn) }
    }

    /// Starts an import whose file has arrived.
    @discardableResult
    func startImport(
        _ id: JobID = jobID, bytes: Int = 1_000, lines: Int = 100, enrich: Bool = false,
        origin: JobOrigin = JobOrigin(client: "c")
    ) throws -> BeginImport.Result {
        let begun = try beginImport(id, bytes: bytes, lines: lines, enrich: enrich, origin: origin)
        try putFile(of: id)
        try noteUpload(of: id)
        return begun
    }

    func progress(_ id: JobID = jobID, token: String? = nil) throws -> ReadJobProgress.Result {
        try perform(writes: false) { engine, turn in try engine.progress(JobAccess(jobId: id, token: token), turn) }
    }

    /// The titles in each part of the results, read page by page as api-proxy reads them.
    func importedRows(_ id: JobID = jobID) async throws -> [ImportPart: [String]] {
        var page = try await results.importOpening(of: id).page
        var rows: [ImportPart: [String]] = [:]
        while true {
            let list = try JSON("[\(String(buffer: page.rows))]".utf8).list ?? []
            rows[page.part, default: []] += list.map { $0["title"]?.text ?? "?" }
            guard let next = page.next else { return rows.filter { !$0.value.isEmpty } }
            page = try await results.importPage(of: id, cursor: next)
        }
    }
}

extension TestWorker {
    /// Sends a claim for a file, which waits at the host, and returns its future response.
    func askForFile(
        wait: Duration = .seconds(30), isAwaited: @escaping @Sendable () -> Bool = { true }
    ) -> Answer<ClaimImport.Result> {
        let answer = Answer<ClaimImport.Result>()
        let parameters = ClaimImport.Parameters(waitMilliseconds: Int(wait.milliseconds))
        host.group([
            EngineCommand(
                durable: false, writes: true,
                run: { [link] engine, turn in
                    engine.claim(
                        parameters, in: engine.readingSteps.claims, from: link.id, turn, isAwaited: isAwaited,
                        reply: { answer.give($0) })
                }, refuse: { answer.give(.failure($0)) })
        ])
        host.settle()
        return answer
    }

    /// Claims a file without waiting.
    func claimFile() throws -> ReadingStep? {
        let answer = askForFile(wait: .zero)
        if answer.count == 0 { host.advance(by: .zero) }
        return try answer.value().step
    }

    func deliver(
        _ titles: [String], page: Int, part: ImportPart = .books, bytesRead: Int = 0, queries: [BookQuery]? = nil,
        of step: ReadingStep
    ) throws -> Bool {
        let rows = titles.map { "{\"title\":\"\($0)\",\"author\":\"A\",\"isbn\":\"9780441172719\",\"error\":\"none\"}" }
        let head = RecordImportRows.Head(
            key: step.key, page: page, part: part, rowCount: titles.count, bytesRead: bytesRead, queries: queries)
        let raw = try RecordImportRows(
            head: head, rows: ByteBuffer(string: "[\(rows.joined(separator: ","))]")
        ).raw()
        guard let page = RecordImportRows(raw: raw) else { throw HostFailure.invalidRequest("not a page") }
        return try host.perform { [link] engine, turn in
            try engine.recordImportRows(page, from: link.id, turn).isWanted
        }
    }

    func tell(_ bytesRead: Int, _ phase: ImportPhase = .parsing, of step: ReadingStep) throws {
        try host.perform { [link] engine, turn in
            try engine.noteImportProgress(
                .init(key: step.key, phase: phase, bytesRead: bytesRead), from: link.id, turn)
        }
    }

    @discardableResult
    func finish(
        _ step: ReadingStep, pages: Int, books: Int, duplicates: Int = 0, errors: Int = 0, skipped: Int = 0
    ) throws -> Bool {
        let parameters = FinishImport.Parameters(
            key: step.key, pages: pages,
            summary: .sample(books: books, duplicates: duplicates, errors: errors, skipped: skipped))
        return try host.perform(durable: true) { [link] engine, turn in
            try engine.finishImport(parameters, from: link.id, turn).isWanted
        }
    }

    @discardableResult
    func fail(_ step: ReadingStep, _ fault: ImportFault) throws -> Bool {
        try host.perform(durable: true) { [link] engine, turn in
            try engine.failImport(.init(key: step.key, failure: fault), from: link.id, turn).isWanted
        }
    }

    func releaseFile(_ step: ReadingStep) throws {
        try host.perform(writes: false) { [link] engine, turn in
            engine.readingSteps.release(step.key, from: link.id, turn)
        }
    }

    /// Claims a file, and delivers these books as its only page.
    func readFile(_ titles: [String], queries: [BookQuery]? = nil) throws {
        guard let step = try claimFile() else { throw HostFailure.invalidRequest("no file to read") }
        _ = try deliver(titles, page: 0, bytesRead: step.bytes, queries: queries, of: step)
        try finish(step, pages: 1, books: titles.count)
    }
}

extension ImportSummary {
    static func sample(books: Int, duplicates: Int = 0, errors: Int = 0, skipped: Int = 0) -> ImportSummary {
        var summary = ImportSummary(
            source: ImportSource(
                format: .goodreads, confidence: 1, encoding: "utf-8", delimiter: ",", lineEnd: "lf", hasHeader: true,
                columns: [ImportColumn(index: 0, header: "Title", role: .title, confidence: 1, by: .header)]))
        summary.totalRows = books + duplicates + errors + skipped
        summary.booksCreated = books
        summary.duplicatesSkipped = duplicates
        summary.errorCount = errors
        summary.skippedRows = skipped
        return summary
    }
}
