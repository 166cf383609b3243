import BookstrackClient
import BookstrackContract
import Foundation

/// The routes of a ``FakeServer`` that respond immediately.
struct FakeRoutes {
    let books: [FakeBook]
    let imported: [ImportedBook]
    let maxBatchBooks: Int?

    /// Handles a request. `accept` stores a job; it returns nil if the identifier belongs to a job with different books.
    func answer(
        to request: ClientRequest, of jobs: [JobID: FakeJob], accept: (FakeJob) -> FakeJob?
    ) -> ClientAnswer {
        let target = FakeTarget(request.target)
        switch (request.method, target.path) {
        case ("GET", "/v1/search/isbn"): return search { $0.isbn == target["isbn"] }
        case ("GET", "/v1/search/title"): return search { $0.title.localizedCaseInsensitiveContains(target["q"] ?? "") }
        case ("GET", "/v1/search/advanced"):
            return search { $0.title == target["title"] && $0.author == target["author"] }
        case ("GET", "/v1/editions/search"):
            let found = books.filter { $0.title == target["workTitle"] }.compactMap(\.metadata.edition)
            if found.isEmpty { return Self.refusal(.notFound, "no editions") }
            return Self.success(EditionResults(editions: found, totalResults: found.count))
        case ("POST", "/v1/enrichment/batch"): return start(request, accept)
        case ("POST", "/v1/csv/import"): return startImport(request, accept)
        case ("POST", "/v1/scan/batch"): return startScan(request, accept)
        default: return answer(request, target, jobs, accept)
        }
    }

    private func answer(
        _ request: ClientRequest, _ target: FakeTarget, _ jobs: [JobID: FakeJob], _ accept: (FakeJob) -> FakeJob?
    ) -> ClientAnswer {
        for prefix in ["/v1/enrichment/results/", "/v1/csv/results/", "/v1/scan/results/"] {
            guard let id = JobID(target.name(after: prefix)) else { continue }
            guard let job = jobs[id], job.hasResults else {
                let status = jobs[id]?.status.rawValue
                return Self.refusal(.notFound, "no results", status.map { ["status": .text($0)] } ?? [:])
            }
            switch job.pipeline {
            case .batchEnrichment: return Self.success(job.results)
            case .csvImport: return Self.success(importResults(job))
            case .aiScan: return scanResults(job)
            }
        }
        return answerOfJob(request, target, jobs) ?? Self.refusal(.notFound, "there is no such route")
    }

    /// Handles a request that needs a job's token; nil if there is no such route. ``FakeServer`` answers authorized requests for the state itself.
    private func answerOfJob(
        _ request: ClientRequest, _ target: FakeTarget, _ jobs: [JobID: FakeJob]
    ) -> ClientAnswer? {
        guard let id = JobID(target.name(after: "/v1/jobs/")) else { return nil }
        let path = APIPath.job(id)
        let routes = [("GET", path), ("DELETE", path), ("POST", path + "/retry")]
        guard routes.contains(where: { $0 == (request.method, target.path) }) else { return nil }
        guard let job = jobs[id], job.admits(request) else {
            return Self.refusal(.unauthorized, "the token is wrong")
        }
        if request.method == "POST" {
            return Self.success(RetryOutcome(jobId: id, status: job.status, retrying: 0), status: 202)
        }
        let cleanup = CancelOutcome.Cleanup(itemsDiscarded: job.items.count - job.rows.count, uploadsDeleted: 0)
        return Self.success(
            CancelOutcome(
                jobId: id, status: job.isOver ? job.status : .cancelled, message: "Job cancelled", cleanup: cleanup))
    }

    private func search(_ isMeant: (FakeBook) -> Bool) -> ClientAnswer {
        let found = books.filter(isMeant).map(\.metadata)
        return Self.success(
            SearchResults(
                works: found.map(\.work), editions: found.compactMap(\.edition), authors: found.flatMap(\.authors),
                totalResults: found.count))
    }

    // MARK: Starts

    private func start(_ request: ClientRequest, _ accept: (FakeJob) -> FakeJob?) -> ClientAnswer {
        guard let body = try? JSONDecoder().decode(EnrichmentBatchRequest.self, from: request.body ?? Data()) else {
            return Self.refusal(.invalidRequest, "the body cannot be read")
        }
        let items =
            body.books ?? body.isbns?.map { BookQuery(isbn: $0) } ?? body.workIds?.map { BookQuery(workId: $0) } ?? []
        guard !items.isEmpty else { return Self.refusal(.invalidRequest, "no books") }
        if let maxBatchBooks, items.count > maxBatchBooks {
            return Self.refusal(.batchTooLarge, "too many books", ["limit": .integer(maxBatchBooks)])
        }
        // Earlier servers refuse row numbers, and all servers refuse texts that are too long or contain U+0000.
        guard items.allSatisfy({ $0 == $0.fitting }) else {
            return Self.refusal(.invalidRequest, "a book cannot be accepted")
        }
        let asked = FakeJob(id: body.jobId ?? .random(), pipeline: .batchEnrichment, items: items)
        guard let job = accept(asked) else { return Self.refusal(.jobExists, "the jobId is taken") }
        return Self.success(
            StartedJob(
                jobId: job.id, token: job.token, status: .pending, totalCount: items.count,
                estimate: DurationEstimate(books: items.count)), status: 202)
    }

    private func startImport(_ request: ClientRequest, _ accept: (FakeJob) -> FakeJob?) -> ClientAnswer {
        let items = imported.map { BookQuery(title: $0.title, isbn: $0.isbn) }
        let asked = FakeJob(id: Self.jobID(in: request), pipeline: .csvImport, items: items)
        guard let job = accept(asked) else { return Self.refusal(.jobExists, "the jobId is taken") }
        return Self.success(
            StartedImport(
                jobId: job.id, token: job.token, status: .pending, filename: "library.csv",
                bytes: request.body?.count ?? 0, estimate: .libraryFile, enrichment: nil), status: 202)
    }

    private func startScan(_ request: ClientRequest, _ accept: (FakeJob) -> FakeJob?) -> ClientAnswer {
        let items = books.map { BookQuery(title: $0.title, author: $0.author) }
        let asked = FakeJob(id: Self.jobID(in: request), pipeline: .aiScan, items: items)
        guard let job = accept(asked) else { return Self.refusal(.jobExists, "the jobId is taken") }
        return Self.success(StartedBatchScan(jobId: job.id, token: job.token, totalPhotos: 1), status: 202)
    }

    /// The `jobId` field of a form; a random identifier if there is none.
    private static func jobID(in request: ClientRequest) -> JobID {
        let form = String(decoding: request.body ?? Data(), as: UTF8.self)
        let field = form.components(separatedBy: "name=\"jobId\"\r\n\r\n").dropFirst().first
        return field.flatMap { JobID(String($0.prefix { $0 != "\r\n" })) } ?? .random()
    }

    // MARK: Results

    private func importResults(_ job: FakeJob) -> ImportResults {
        let source = ImportSource(
            format: .unknown, confidence: 1, encoding: "utf-8", delimiter: ",", lineEnd: "lf", hasHeader: true,
            columns: [])
        return ImportResults(
            books: imported, errors: [], skipped: [], successRate: "\(imported.count)/\(imported.count)", timestamp: 0,
            totalRows: imported.count, skippedRows: 0, duplicatesSkipped: 0, booksCreated: imported.count,
            booksUpdated: 0, source: source, metadata: ImportResults.Reading(processingTime: 1), resultsRevision: 0,
            expiresAt: job.results.expiresAt)
    }

    /// One photo that shows every book of the server, all approved.
    private func scanResults(_ job: FakeJob) -> ClientAnswer {
        let found = books.map { book in
            let spine = DetectedSpine(
                title: book.title, author: book.author, isbn: book.isbn,
                box: .whole, confidence: 0.9)
            var scanned = ScannedBook(spine, photo: 0)
            scanned.add(book.metadata, photo: APIPath.scanPhoto(job.id, 0), isVerified: true)
            return scanned
        }
        var photo = ScannedPhoto(index: 0)
        (photo.status, photo.booksFound) = (.complete, found.count)
        let reading = ScanResults.Reading(
            modelUsed: "fake", processingTime: 1, enrichedCount: found.count, timestamp: job.results.expiresAt)
        return Self.success(
            ScanResults(
                jobId: job.id, resultsRevision: 1, expiresAt: job.results.expiresAt, books: found, photos: [photo],
                metadata: reading))
    }

    // MARK: Responses

    static func success<Body: Codable & Sendable>(_ body: Body, status: Int = 200) -> ClientAnswer {
        let envelope = SuccessEnvelope(data: body, metadata: ResponseMetadata(timestamp: "2025-11-16T12:00:00.000Z"))
        return ClientAnswer(status: status, body: Data(json(envelope).utf8))
    }

    static func refusal(_ code: APIErrorCode, _ message: String, _ details: [String: DetailValue] = [:]) -> ClientAnswer
    {
        let failure = FailureEnvelope.Failure(
            message: message, code: code, details: details, retryable: code.isRetryable, statusCode: code.status)
        let envelope = FailureEnvelope(
            error: failure, metadata: ResponseMetadata(timestamp: "2025-11-16T12:00:00.000Z"))
        return ClientAnswer(status: code.status, body: Data(json(envelope).utf8))
    }

    /// Encodes a wire type as JSON. These types have no values whose encoding can fail.
    static func json(_ value: some Encodable) -> String {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
