import BookstrackContract
import SuiteMethods

/// The stored state of a scan and its photos.
struct OpenScan: OpenUpload {
    typealias Claim = ClaimScan

    /// The job's number.
    let job: Int64
    let id: JobID
    /// The client that started the job.
    let client: String
    /// Whether the scan was started as a batch, so there are also frames for each photo (scans.md "Frames").
    let isBatch: Bool
    var isUploaded = false
    var attempt = 0
    /// Number of attempts that have lost their workers since the last outcome of a photo.
    var lostAttempts = 0
    /// The photos, in upload order.
    var photos: [StoredPhoto]

    var files: [String] { photos.indices.map(UploadFolder.photo) }

    /// Indexes of the photos without an outcome.
    var unread: [Int] { photos.indices.filter { !photos[$0].shown.status.isOver } }

    mutating func beginAttempt() { attempt += 1 }

    func store(_ turn: Turn) throws { try turn.scans.update(self) }

    func claimed(in uploads: UploadFolder, by job: JobRow) -> ClaimScan.Result {
        let unread = unread.map { index in
            ScanStep.Photo(
                index: index, path: uploads.path(of: id, UploadFolder.photo(index)), bytes: photos[index].bytes)
        }
        return ClaimScan.Result(step: ScanStep(key: key, photos: unread, trace: job.trace))
    }
}

/// A stored photo of a scan.
struct StoredPhoto: Sendable, Equatable {
    /// The part that is visible to clients.
    var shown: ScannedPhoto
    /// Size of the file in bytes.
    var bytes: Int
    /// The model that read the photo; nil if none has.
    var model: String?
    /// Why the photo could not be read; nil if it was read or has no outcome.
    var fault: PhotoFault?

    /// Removes the photo's failure, so the photo is read again.
    mutating func requeue() {
        shown.status = .queued
        shown.error = nil
        fault = nil
    }

    /// Sets the photo's outcome.
    mutating func end(_ outcome: RecordPhoto.Parameters) {
        shown.width = outcome.width
        shown.height = outcome.height
        if let reading = outcome.reading {
            shown.status = .complete
            shown.booksFound = reading.spines.count
            shown.engine = reading.engine
            model = reading.model
        } else {
            fault = outcome.fault ?? .unknown
            shown.status = .error
            shown.error = fault?.message
        }
    }
}

extension PhotoFault {
    /// A worker reported neither a reading nor a fault.
    static let unknown = PhotoFault(.aiScanFailed, "The photo could not be read.", isRetryable: true)
    /// Attempts to read the photo have lost their workers.
    static let lost = PhotoFault(
        .aiScanFailed, "Reading the photo was interrupted several times. Please report this, and include the photo.",
        isRetryable: false)
    /// The job's deadline has passed.
    static let late = PhotoFault(
        .aiScanFailed, "The photo was not read in time. Please try again later.", isRetryable: true)
}

/// Progress in reading a scan's photos, as shown in frames.
struct PhotoProgress: Sendable, Equatable {
    var isBatch: Bool
    var photos: [ScannedPhoto]

    init(_ scan: OpenScan) {
        isBatch = scan.isBatch
        photos = scan.photos.map(\.shown)
    }

    /// Whether every photo has an outcome.
    var isOver: Bool { photos.allSatisfy(\.status.isOver) }

    /// Number of the photo that is shown as being read, from 1; that of the last photo once all have outcomes.
    var current: Int { min(photos.count, photos.count { $0.status.isOver } + 1) }

    var stage: ScanStage { isOver ? .enriching : .analyzing }

    /// Progress of the job: first that of reading the photos, then that of looking up the books. It never decreases while the job is open, because
    /// photos do not return to an earlier state before the end of the job.
    func progress(_ counts: JobCounts) -> Double {
        let read = ScanStage.extracting.end
        guard isOver else {
            let begun = photos.contains { $0.status == .processing } ? 0.25 : 0
            let over = Double(photos.count { $0.status.isOver })
            return ScanStage.analyzing.end * (over + begun) / Double(max(1, photos.count))
        }
        return read + (1 - read) * counts.progress
    }
}
