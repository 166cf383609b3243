import BookstrackContract
import SuiteMethods

/// An import that has not ended, as stored.
struct OpenImport: OpenUpload {
    /// The job's number.
    let job: Int64
    let id: JobID
    let file: ImportedFile
    /// The reader's options, as JSON text.
    let options: String
    /// Number of the linked enrichment job, whether it is open or not.
    let enrichment: Int64?
    /// Whether the file has arrived.
    var isUploaded = false
    /// Number of the newest attempt to read the file; 0 before the first.
    var attempt = 0
    /// Attempts that lost their worker.
    var lostAttempts = 0
    /// Pages that the newest attempt has delivered.
    var pages = 0
    /// Items of the linked job that the newest attempt has drafted.
    var drafted = 0
    /// Bytes that the most advanced attempt has read.
    var bytesRead = 0

    /// Begins a new attempt: whatever earlier attempts delivered is ignored.
    mutating func beginAttempt() {
        attempt += 1
        pages = 0
        drafted = 0
    }
}

extension OpenImport {
    typealias Claim = ClaimImport

    static let nothing = ClaimImport.Result(step: nil)

    var files: [String] { [UploadFolder.libraryFile] }

    func store(_ turn: Turn) throws { try turn.imports.update(self) }

    func claimed(in uploads: UploadFolder, by job: JobRow) -> ClaimImport.Result {
        ClaimImport.Result(
            step: ReadingStep(
                key: key, path: uploads.path(of: id, UploadFolder.libraryFile), fileName: file.name, bytes: file.bytes,
                options: options, enrich: enrichment != nil, trace: job.trace))
    }

    static func claimTimer(_ peer: PeerID) -> EngineTimer { .importClaim(peer) }
}

/// What is known of an uploaded file before it is read.
struct ImportedFile: Sendable, Equatable {
    /// As the client gave it.
    var name: String
    var bytes: Int
    /// Line ends that were counted while uploading.
    var lines: Int

    /// Counts of an import after `bytesRead` bytes: that share of the estimated rows (imports.md "Frames").
    func counts(bytesRead: Int) -> JobCounts {
        let total = max(1, lines)
        let read = bytesRead >= bytes ? total : total * max(0, bytesRead) / max(1, bytes)
        return JobCounts(total: total, succeeded: read)
    }
}

/// The state of a file being read, as frames show it.
struct FileReading: Sendable, Equatable {
    var file: ImportedFile
    var phase = ImportPhase.parsing
    var bytesRead = 0

    var counts: JobCounts { file.counts(bytesRead: bytesRead) }
}

extension ImportSummary {
    /// The job's counts once the file is read (imports.md "Accounting").
    var counts: JobCounts {
        JobCounts(
            total: totalRows - skippedRows, succeeded: booksCreated + duplicatesSkipped, failed: errorCount)
    }
}
