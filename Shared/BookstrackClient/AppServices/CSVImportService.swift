public import BookstrackContract
public import Foundation

/// Imports a library file: the books immediately, covers and descriptions later, through an ``EnrichmentQueue``.
public actor CSVImportService {
    private let client: BookstrackClient

    /// Creates a service that uses `client`.
    public init(client: BookstrackClient) { self.client = client }

    /// Returns what an import would produce, so the app can show it first.
    public func preview(_ file: LibraryFile) async throws(BookstrackError) -> ImportPreview {
        try await client.preview(file: file)
    }

    /// Imports a file and returns its books. This usually takes about a second.
    ///
    /// If the call fails because the connection breaks, repeating it with the same `jobID` and the same file continues the same import.
    ///
    /// `queue` then looks the books up in the background, except those that have no title, ISBN or Open Library work. `onEvent` receives the events
    /// of the import.
    ///
    /// - Throws: ``BookstrackError``, with the code `E_CSV_PROCESSING_FAILED` (or `JOB_FAILED` if the job was polled) if the import itself fails, for
    ///   example because of the file.
    public func importFile(
        _ file: LibraryFile, jobID: JobID = .random(), then queue: EnrichmentQueue? = nil,
        onEvent: @Sendable (JobEvent) -> Void = { _ in }
    ) async throws(BookstrackError) -> ImportResults {
        let started = try await client.importLibrary(file: file, jobID: jobID)
        try await client.finish(started.jobId, onEvent)
        let results = try await client.importResults(of: started.jobId)
        if let queue {
            let books = results.books.map { BookQuery($0) }
            try await queue.enqueue(books.filter { !$0.displayTitle.isEmpty }, source: .import)
        }
        return results
    }
}

/// Recognizes the books in shelf photos.
public actor BookshelfScannerService {
    private let client: BookstrackClient

    /// Creates a service that uses `client`.
    public init(client: BookstrackClient) { self.client = client }

    /// Scans up to five photos and returns their books, already looked up. `onEvent` receives the events of the scan, including the photo states.
    ///
    /// - Throws: ``BookstrackError``, for example with the code `BATCH_SCAN_ERROR` if no photo could be read. Photos without books are not an error.
    public func scan(_ photos: [Data], jobID: JobID = .random(), onEvent: @Sendable (JobEvent) -> Void = { _ in })
        async throws(BookstrackError) -> ScanResults
    {
        let started = try await client.scan(photos: photos, jobID: jobID)
        try await client.finish(started.jobId, onEvent)
        return try await client.scanResults(of: started.jobId)
    }
}

extension BookstrackClient {
    /// Follows a job to its end. Throws an error unless the job completes.
    func finish(_ job: JobID, _ onEvent: (JobEvent) -> Void) async throws(BookstrackError) {
        do {
            for try await event in events(of: job) {
                onEvent(event)
                switch event.content {
                case .completed: return
                case .failed(let error): throw error
                case .cancelled:
                    throw BookstrackError(
                        .init(rawValue: FrameErrorCode.jobCancelled.rawValue), "the job was cancelled")
                default: continue
                }
            }
        } catch {
            throw error as? BookstrackError ?? BookstrackError(.unexpectedAnswer, "\(error)")
        }
        throw BookstrackError(.cancelled, "the task was cancelled before the job ended")
    }
}
