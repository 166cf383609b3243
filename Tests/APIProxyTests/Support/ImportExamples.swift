import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SuiteMethods
import TestSupport

@testable import APIProxy

extension ReadImportResults.Head {
    /// The head of a completed import.
    static func example(_ jobId: JobID, _ change: (inout ImportSummary) -> Void = { _ in }) -> Self {
        var summary = ImportSummary(
            source: ImportSource(
                format: .unknown, confidence: 0.9, encoding: "utf-8", delimiter: ",", lineEnd: "crlf", hasHeader: true,
                columns: [
                    ImportColumn(index: 0, header: "Title", role: .title, confidence: 1, by: .header),
                    ImportColumn(index: 1, header: "Lent to"),
                ]))
        summary.totalRows = 4
        summary.booksCreated = 2
        summary.errorCount = 1
        summary.skippedRows = 1
        change(&summary)
        var head = ReadImportResults.Head(
            jobId: jobId, status: .completed, resultsRevision: 0, expiresAt: "2025-11-16T20:00:00.000Z",
            endedAt: 1_763_236_800_000, processingTime: 21, fileName: "books.csv", fileSize: 99)
        head.summary = summary
        return head
    }
}

/// Rows of an import as JSON texts.
enum ImportRows {
    static func book(_ row: Int, _ change: (inout ImportedBook) -> Void = { _ in }) throws -> String {
        var book = ImportedBook(row: row, lineNumber: row + 1, title: "Title \(row)", author: "Author")
        change(&book)
        return String(buffer: try BodyCoding.encode(book))
    }

    static func error(_ row: Int, _ cells: [RawCells.Cell] = []) throws -> String {
        let error = ImportRowError(
            row: row, lineNumber: row + 1, title: "", isbn: nil, error: "The row has no title.", code: .noTitle,
            raw: RawCells(cells))
        return String(buffer: try BodyCoding.encode(error))
    }

    static func skipped(_ row: Int) throws -> String {
        String(buffer: try BodyCoding.encode(SkippedRow(row: row, lineNumber: row + 1, reason: .otherMedia)))
    }
}

/// A scripted enrichment-worker for previews, on a real Unix socket.
final class FakePreviewWorker: Sendable {
    typealias Preview = @Sendable (PreviewImport.Parameters) async throws -> String

    private let server: RPCServer
    private let asked: NIOLockedValueBox<[PreviewImport.Parameters]>

    /// The files whose preview was requested.
    var previews: [PreviewImport.Parameters] { asked.withLockedValue { $0 } }

    /// Listens on the path that `proxy` connects to, and returns once the proxy is connected.
    static func start(for proxy: RunningProxy, _ preview: @escaping Preview) async throws -> FakePreviewWorker {
        let asked = NIOLockedValueBox<[PreviewImport.Parameters]>([])
        var router = RPCRouter()
        router.handleRaw(PreviewImport.name) { raw, _ in
            let parameters = try BodyCoding.decode(PreviewImport.Parameters.self, from: raw)
            asked.withLockedValue { $0.append(parameters) }
            return ByteBuffer(string: try await preview(parameters))
        }
        let server = try await RPCServer.bind(
            path: SuiteSockets(directory: proxy.directory.path).path(of: .enrichmentWorker), router: router,
            allowedUIDs: [getuid()], group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "fake-worker") { _ in SwiftLogNoOpLogHandler() })
        try await proxy.connect(to: .enrichmentWorker)
        return FakePreviewWorker(server, asked)
    }

    private init(_ server: RPCServer, _ asked: NIOLockedValueBox<[PreviewImport.Parameters]>) {
        self.server = server
        self.asked = asked
    }

    func stop() async { await server.shutdown() }
}

extension RunningProxy {
    static let formType = "Content-Type: multipart/form-data; boundary=XYZ"

    func post(_ path: String, form parts: [MultipartParserTests.Part], fields: [String] = []) async throws -> HTTPAnswer
    {
        try await request(
            "POST", path, fields: [Self.formType] + fields, body: MultipartParserTests.body(parts))
    }

    /// The names of the entries in the upload directory, or in one of its folders.
    func uploaded(_ folder: String = "") -> [String] {
        let path = directory.path + "/uploads/" + folder
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// Waits until all uploads have ended.
    func uploadsEnd() async throws {
        try await until { uploaded(".incoming").isEmpty }
    }
}
