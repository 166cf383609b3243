import BookstrackContract
import SuiteMethods

/// A scan with photos that are still to be read, as stored.
struct OpenScan: OpenUpload {
    typealias Claim = ClaimScan

    /// The job's number.
    let job: Int64
    let id: JobID
    /// Whether the client follows the photos one by one (scans.md "Frames").
    let isBatch: Bool
    var isUploaded = false
    var attempt = 0
    /// Attempts that lost their worker since a photo had its outcome.
    var lostAttempts = 0
    /// In the order of the upload.
    var photos: [StoredPhoto]

    static let nothing = ClaimScan.Result(step: nil)

    var files: [String] { photos.indices.map(UploadFolder.photo) }

    /// Photos without an outcome.
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

    static func claimTimer(_ peer: PeerID) -> EngineTimer { .scanClaim(peer) }
}

/// A photo of a scan as stored.
struct StoredPhoto: Sendable, Equatable {
    /// The part that clients see.
    var shown: ScannedPhoto
    /// Size of the file.
    var bytes: Int
    /// The model that read it.
    var model: String?
    /// Why it could not be read.
    var fault: PhotoFault?

    /// It is to be read again.
    mutating func requeue() {
        shown.status = .queued
        shown.error = nil
        fault = nil
    }

    /// Gives it its outcome.
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
    /// A worker said neither what it read nor why it could not.
    static let unknown = PhotoFault(.aiScanFailed, "The photo could not be read.", isRetryable: true)
    /// Attempts to read the photo have lost their workers.
    static let lost = PhotoFault(
        .aiScanFailed, "Reading the photo was interrupted several times. Please report this, and include the photo.",
        isRetryable: false)
    /// The job's time was over.
    static let late = PhotoFault(
        .aiScanFailed, "The photo was not read in time. Please try again later.", isRetryable: true)
}

/// How far the photos of a scan are read, for frames.
struct PhotoProgress: Sendable, Equatable {
    var isBatch: Bool
    var photos: [ScannedPhoto]

    init(_ scan: OpenScan) {
        isBatch = scan.isBatch
        photos = scan.photos.map(\.shown)
    }

    /// Whether every photo has its outcome.
    var isOver: Bool { photos.allSatisfy(\.status.isOver) }

    /// Number of the photo that is being read, from 1.
    var current: Int { min(photos.count, photos.count { $0.status.isOver } + 1) }

    /// What is being done.
    var stage: ScanStage { isOver ? .enriching : .analyzing }

    /// Progress of the job: that of the photos until they are read, then that of the books. It never goes back, since a photo never does.
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
