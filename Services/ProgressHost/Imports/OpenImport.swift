import BookstrackContract
import SuiteMethods

/// The stored state of an import.
struct OpenImport: OpenUpload {
    /// The job's number.
    let job: Int64
    let id: JobID
    /// The client that started the job.
    let client: String
    let file: ImportedFile
    /// The reader's options as JSON text.
    let options: String
    /// Number of the linked enrichment job, which may have ended; nil if there is none.
    let enrichment: Int64?
    /// Whether the file has arrived.
    var isUploaded = false
    /// Number of the newest attempt to read the file; 0 before the first attempt.
    var attempt = 0
    /// Number of attempts that lost their workers.
    var lostAttempts = 0
    /// Number of pages delivered by the newest attempt.
    var pages = 0
    /// Number of the linked job's items drafted by the newest attempt.
    var drafted = 0
    /// Number of bytes that the most advanced attempt has read.
    var bytesRead = 0

    /// Begins a new attempt. The pages and items of earlier attempts no longer count.
    mutating func beginAttempt() {
        attempt += 1
        pages = 0
        drafted = 0
    }
}

extension OpenImport {
    typealias Claim = ClaimImport

    var files: [String] { [UploadFolder.libraryFile] }

    func store(_ turn: Turn) throws { try turn.imports.update(self) }

    func claimed(in uploads: UploadFolder, by job: JobRow) -> ClaimImport.Result {
        ClaimImport.Result(
            step: ReadingStep(
                key: key, path: uploads.path(of: id, UploadFolder.libraryFile), fileName: file.name, bytes: file.bytes,
                options: options, enrich: enrichment != nil, trace: job.trace))
    }
}

/// Facts about an uploaded file before it is read.
struct ImportedFile: Sendable, Equatable {
    /// The file name as given by the client.
    var name: String
    var bytes: Int
    /// Number of line breaks counted during the upload.
    var lines: Int

    /// Counts of an import after `bytesRead` bytes have been read: the corresponding fraction of the estimated rows (imports.md "Frames").
    func counts(bytesRead: Int) -> JobCounts {
        let total = max(1, lines)
        let read = bytesRead >= bytes ? total : total * max(0, bytesRead) / max(1, bytes)
        return JobCounts(total: total, succeeded: read)
    }
}

/// The state of a file being read, as shown in frames.
struct FileReading: Sendable, Equatable {
    var file: ImportedFile
    var phase = ImportPhase.parsing
    var bytesRead = 0

    var counts: JobCounts { file.counts(bytesRead: bytesRead) }
}

extension ImportSummary {
    /// The job's counts once the file has been read (imports.md "Accounting").
    var counts: JobCounts {
        JobCounts(
            total: totalRows - skippedRows, succeeded: booksCreated + duplicatesSkipped, failed: errorCount)
    }
}
