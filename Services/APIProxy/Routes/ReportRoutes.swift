import BookIdentifiers
import BookstrackContract
import HTTPTypes
import Hummingbird
import JSON
import JSONRPC
import NIOCore
import SuiteMethods

/// `POST /v1/reports/missing-metadata`: a reader reports that some of a book's metadata is missing (http-api.md "Reports").
struct ReportRoutes: Sendable {
    static let path = "/v1/reports/missing-metadata"

    /// The connection for reading results.
    let host: RPCClient
    let workers: WorkerLinks
    let bodies: JSONBodies

    var routes: [Route] {
        [
            Route(.post, Self.path, limit: .report) { request, context in
                let report = try await bodies.read(request, context) { try ReportRequest(body: $0) }
                let isbn = try await isbn(of: report.book)
                let receipt = try await record(
                    .init(isbn: isbn, fields: report.fields, note: report.note))
                return .envelope(.accepted, receipt, context)
            }
        ]
    }

    private func record(_ report: ReportMissingMetadata.Parameters) async throws -> ReportReceipt {
        do {
            return try await workers.call(ReportMissingMetadata.self, report)
        } catch {
            guard error.applicationCode == nil else { throw error }
            throw APIFailure.workerUnavailable
        }
    }

    /// The ISBN of the book. Throws `INVALID_ISBN` for a row without an ISBN, and the failure if the row cannot be read.
    private func isbn(of book: ReportRequest.Book) async throws -> String {
        switch book {
        case .isbn(let isbn): return isbn
        case .row(let jobId, let index):
            try? await host.waitUntilConnected(within: ResultsReading.connectionWait)
            guard let isbn = try await row(index, of: jobId).number else {
                throw APIFailure(.invalidISBN, "The book has no ISBN.", details: ["jobId": .text(jobId.text)])
            }
            return isbn
        }
    }

    /// A row of a job's results. For an import, this is the row of the linked job, which looks up the import's books in the same order.
    private func row(_ index: Int, of jobId: JobID) async throws -> ReportedRow {
        let opening = try await host.results(of: jobId)
        let job = opening.head.pipeline == .csvImport ? try await host.linkedJob(ofImport: jobId) : jobId
        // The cursors of a scan count all its spines, but its rows do not include duplicates, so its few rows are counted from the first one.
        let isScan = opening.head.scan != nil
        var page = isScan ? opening.page : try await host.resultsPage(of: job, at: index)
        var rowsBefore = isScan ? index : 0
        while true {
            let rows = try page.rows(as: ReportedRow.self)
            if rowsBefore < rows.count { return rows[rowsBefore] }
            rowsBefore -= rows.count
            guard let cursor = page.next else {
                throw APIFailure.invalid("index", "must be the index of a book in the job")
            }
            page = try await host.resultsPage(of: job, at: cursor)
        }
    }
}

/// The part of a result row that contains its ISBN.
private struct ReportedRow: Decodable {
    struct Enriched: Decodable {
        struct Edition: Decodable {
            var isbn: String?
        }

        var edition: Edition?
    }

    var isbn: String?
    var enriched: Enriched?

    /// The edition's ISBN, otherwise the row's: the requested one or, in a scan, that of the match. Nil if neither is valid.
    var number: String? { [enriched?.edition?.isbn, isbn].compactMap(\.self).first { ISBN($0) != nil } }
}

/// A validated report.
struct ReportRequest: Equatable {
    /// The book that a report is about.
    enum Book: Equatable {
        case isbn(String)
        /// A row of a job's results, counted from 0.
        case row(JobID, Int)
    }

    var book: Book
    var fields: [BookField] = []
    var note: String?

    /// Reads a body. Unknown members are refused, like those of a book (http-api.md "Validation"). Throws `APIFailure`.
    init(body: [UInt8]) throws {
        var isbn: String?
        var jobId: JobID?
        var index: Int?
        var (fields, note): ([BookField], String?) = ([], nil)
        try JSONReader.readBody(body) { reader, name in
            switch name {
            case "isbn": isbn = try reader.readText(at: name, limit: BookQuery.isbnLimit.characters)
            case "jobId": jobId = try reader.readJobID(at: name, shortest: JobID.shortest)
            case "index": index = try reader.readCount(at: name)
            case "fields": fields = try reader.readFields(at: name)
            case "note": note = try reader.readText(at: name, limit: ReportMissingMetadata.noteLimit)
            default: throw APIFailure.invalid(String(name.prefix(32)), "is unknown")
            }
        }
        switch (isbn, jobId, index) {
        case (let isbn?, nil, nil):
            guard let number = ISBN(isbn) else {
                throw APIFailure(.invalidISBN, "isbn must be a valid ISBN-10 or ISBN-13.")
            }
            book = .isbn(number.isbn13)
        case (nil, let jobId?, let index?): book = .row(jobId, index)
        default: throw APIFailure(.invalidRequest, "Provide either isbn, or jobId and index.")
        }
        self.fields = fields
        self.note = note
    }
}

extension JSONReader {
    /// Reads a list of field names, and drops duplicates.
    fileprivate mutating func readFields(at place: String) throws -> [BookField] {
        var fields: [BookField] = []
        guard try peek() == .array else { throw APIFailure.invalid(place, "must be a list") }
        try readArray { reader in
            let text = try reader.readText(at: place, limit: 32)
            guard let field = text.flatMap(BookField.init(rawValue:)) else {
                let names = BookField.allCases.map(\.rawValue).joined(separator: ", ")
                throw APIFailure.invalid(place, "must contain only \(names)")
            }
            if !fields.contains(field) { fields.append(field) }
        }
        return fields
    }
}
