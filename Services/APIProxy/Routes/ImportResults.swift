import BookstrackContract
import HTTPTypes
import JSONRPC
import NIOCore
import SuiteMethods

/// Chooses the document for an import's results according to the query.
enum ImportDocuments {
    /// The document that a query requests. Throws 400 for an unknown combination of `format` and `rows`.
    static func document(for query: QueryItems) throws(APIFailure) -> any ResultsDocument {
        switch (query["format"], query["rows"]) {
        case (nil, nil), ("json", nil): ImportDocument(shape: .contract)
        case ("csv", nil): ImportCSVDocument(part: .books)
        case ("csv", "failed"): ImportCSVDocument(part: .errors)
        case (nil, .some), ("json", .some): throw .invalid("rows", "requires format=csv")
        case ("csv", .some): throw .invalid("rows", "must have the value failed")
        default: throw .invalid("format", "must be json or csv")
        }
    }
}

/// The results of an import in their envelope: the lists page by page, followed by the figures (imports.md "Results").
struct ImportDocument: ResultsDocument {
    enum Shape {
        case contract
        /// For the shipped apps: the books are repeated as `results`, and errors are sentences.
        case shippedApp
    }

    let pipeline = Pipeline.csvImport
    let opening = ResultsCall.importResults
    let page = ResultsCall.importPage
    let fields: HTTPFields = [.contentType: StandardFields.json]
    private let shape: Shape
    private var ending = ByteBuffer()
    /// The list that is being written.
    private var list = ImportPart.books
    private var hasRows = false
    /// Whether the books are being read a second time.
    private var repeatsBooks = false

    init(shape: Shape) { self.shape = shape }

    mutating func open(_ answer: ByteBuffer, _ metadata: ResponseMetadata) throws -> ResultsPiece {
        let results = try opening.documented(ReadImportResults(raw: answer))
        guard !repeatsBooks else { return try piece(results.page, after: "\"results\":[") }
        ending = try Self.ending(ImportFigures(results.head, shape), metadata)
        var first = try piece(results.page, after: "{\"data\":{\"books\":[")
        first.revision = results.head.resultsRevision
        return first
    }

    mutating func add(_ answer: ByteBuffer) throws -> ResultsPiece {
        try piece(try page.documented(ImportRowsPage(raw: answer)))
    }

    private mutating func piece(_ page: ImportRowsPage, after start: StaticString = "") throws -> ResultsPiece {
        var text = ByteBuffer()
        text.writeStaticString(start)
        if repeatsBooks, page.part != .books { return last(text) }
        advance(to: page.part, &text)
        if page.rows.readableBytes > 0 {
            if hasRows { text.writeStaticString(",") }
            hasRows = true
            text.writeImmutableBuffer(try rows(page))
        }
        if let next = page.next { return ResultsPiece(text: text, next: .page(next)) }
        if repeatsBooks { return last(text) }
        advance(to: .skipped, &text)
        guard shape == .shippedApp else { return last(text) }
        text.writeStaticString("],")
        (repeatsBooks, hasRows, list) = (true, false, .books)
        return ResultsPiece(text: text, next: .opening)
    }

    private func last(_ text: ByteBuffer) -> ResultsPiece {
        var text = text
        text.writeImmutableBuffer(ending)
        return ResultsPiece(text: text, next: .end)
    }

    /// Closes the lists before `part` and opens `part` itself. Lists without rows have no page, so several lists may be closed in a row.
    private mutating func advance(to part: ImportPart, _ text: inout ByteBuffer) {
        let parts = ImportPart.allCases
        while list != part, let index = parts.firstIndex(of: list), index + 1 < parts.count {
            list = parts[index + 1]
            hasRows = false
            text.writeString("],\"\(list.rawValue)\":[")
        }
    }

    private func rows(_ page: ImportRowsPage) throws -> ByteBuffer {
        guard shape == .shippedApp, page.part == .errors else { return page.rows }
        let sentences = try page.decoded(ImportRowError.self).map { "Line \($0.lineNumber): \($0.error)" }
        let list = try BodyCoding.encode(sentences)
        return list.getSlice(at: list.readerIndex + 1, length: list.readableBytes - 2) ?? list
    }
}

/// The members of an import's results that are not rows.
private struct ImportFigures: Encodable {
    let successRate: String
    let timestamp: Int64
    let totalRows: Int
    let skippedRows: Int
    let duplicatesSkipped: Int
    let booksCreated: Int
    let booksUpdated: Int
    let source: ImportSource
    let enrichment: ImportResults.Enrichment?
    let metadata: ImportResults.Reading
    let resultsRevision: Int
    let expiresAt: String
    let enrichmentSucceeded: Int?
    let enrichmentFailed: Int?

    /// Takes the figures from the head of an import's results. Throws `APIFailure` if the import has no results.
    init(_ head: ReadImportResults.Head, _ shape: ImportDocument.Shape) throws(APIFailure) {
        let summary = try head.figures
        successRate = summary.successRate
        timestamp = head.endedAt
        totalRows = summary.totalRows
        skippedRows = summary.skippedRows
        duplicatesSkipped = summary.duplicatesSkipped
        booksCreated = summary.booksCreated
        booksUpdated = summary.booksUpdated
        source = summary.source
        enrichment = head.enrichment.map(ImportResults.Enrichment.init)
        metadata = ImportResults.Reading(modelUsed: head.modelUsed, processingTime: head.processingTime)
        resultsRevision = head.resultsRevision
        expiresAt = head.expiresAt
        enrichmentSucceeded = shape == .shippedApp ? 0 : nil
        enrichmentFailed = shape == .shippedApp ? 0 : nil
    }
}

extension ReadImportResults.Head {
    /// The figures of a completed import. Throws 404 with the reason if the import did not complete.
    fileprivate var figures: ImportSummary {
        get throws(APIFailure) {
            if let summary { return summary }
            var details: [String: DetailValue] = ["jobId": .text(jobId.text), "status": .text(status.rawValue)]
            if let failure { details["reason"] = .text(failure.code.rawValue) }
            if let line = failure?.lineNumber { details["lineNumber"] = .integer(line) }
            let reason =
                failure?.message ?? (status == .cancelled ? "It was cancelled." : "Please import the file again.")
            throw APIFailure(.notFound, "The import has no results. \(reason)", details: details)
        }
    }
}

extension ImportRowsPage {
    fileprivate func decoded<Row: Decodable>(_ type: Row.Type) throws -> [Row] {
        var list = ByteBuffer(staticString: "[")
        list.writeImmutableBuffer(rows)
        list.writeStaticString("]")
        return try BodyCoding.decode([Row].self, from: list)
    }
}

/// The books of an import, or the rows that could not become books, as a file to download (imports.md "CSV files").
struct ImportCSVDocument: ResultsDocument {
    private enum Writer {
        case books(LibraryCSV)
        case failed(FailedRowsCSV)
    }

    let pipeline = Pipeline.csvImport
    let opening = ResultsCall.importResults
    let page = ResultsCall.importPage
    private let part: ImportPart
    private var writer: Writer?

    /// - Parameter part: Either books or errors.
    init(part: ImportPart) { self.part = part }

    var fields: HTTPFields {
        let name = part == .books ? "library.csv" : "failed-rows.csv"
        return [
            .contentType: "text/csv; charset=utf-8",
            .contentDisposition: "attachment; filename=\"\(name)\"",
        ]
    }

    mutating func open(_ answer: ByteBuffer, _ metadata: ResponseMetadata) throws -> ResultsPiece {
        let results = try opening.documented(ReadImportResults(raw: answer))
        let source = try results.head.figures.source
        let header: String
        if part == .books {
            let file = LibraryCSV(source: source)
            (writer, header) = (.books(file), file.header)
        } else {
            let file = FailedRowsCSV(source: source)
            (writer, header) = (.failed(file), file.header)
        }
        var first = try piece(results.page, after: header)
        first.revision = results.head.resultsRevision
        return first
    }

    mutating func add(_ answer: ByteBuffer) throws -> ResultsPiece {
        try piece(try page.documented(ImportRowsPage(raw: answer)), after: "")
    }

    /// Skips the pages of earlier lists, and ends the document at the first page of a later list.
    private func piece(_ page: ImportRowsPage, after start: String) throws -> ResultsPiece {
        var text = ByteBuffer(string: start)
        let parts = ImportPart.allCases
        let isPast = parts.firstIndex(of: page.part) ?? 0 > parts.firstIndex(of: part) ?? 0
        if page.part == part, page.rows.readableBytes > 0 {
            switch writer {
            case .books(let file): for book in try page.decoded(ImportedBook.self) { text.writeString(file.line(book)) }
            case .failed(let file):
                for row in try page.decoded(ImportRowError.self) { text.writeString(file.line(row)) }
            case nil: break
            }
        }
        return ResultsPiece(text: text, next: isPast ? .end : page.next.map { .page($0) } ?? .end)
    }
}
