/// The envelope of a frame that only clients of photo batches read. The content is under `payload`, under `data` and at the top level, because each
/// generation of clients reads it from a different place (scans.md "Frames").
public struct BatchFrame<Payload: FramePayload>: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey { case jobId, pipeline, timestamp, version, seq, payload, data }

    private let frame: ServerFrame<Payload>

    /// Wraps the content of a frame.
    public init(_ frame: ServerFrame<Payload>) { self.frame = frame }

    /// Writes the content three times. The `type` at the top level belongs to both the envelope and the content, and is written once.
    public func encode(to encoder: any Encoder) throws {
        try frame.payload.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(frame.jobId, forKey: .jobId)
        try container.encode(frame.pipeline, forKey: .pipeline)
        try container.encode(frame.timestamp, forKey: .timestamp)
        try container.encode(frame.version, forKey: .version)
        try container.encode(frame.seq, forKey: .seq)
        try container.encode(frame.payload, forKey: .payload)
        try container.encode(frame.payload, forKey: .data)
    }
}

/// `batch-init`: a worker has claimed the photos of a batch (scans.md "Frames").
public struct BatchInitPayload: FramePayload {
    /// Always `batch-init`.
    public var type: FrameType
    /// Number of photos.
    public var totalPhotos: Int
    /// Always "processing".
    public var status: String

    /// Creates a payload.
    public init(totalPhotos: Int) {
        type = .batchInit
        self.totalPhotos = totalPhotos
        status = "processing"
    }
}

/// `batch-progress`: the state of a photo has changed (scans.md "Frames").
public struct BatchProgressPayload: FramePayload {
    /// Always `batch-progress`.
    public var type: FrameType
    /// Index of the photo, from 0.
    public var currentPhoto: Int
    /// Number of photos.
    public var totalPhotos: Int
    /// State of the photo.
    public var photoStatus: ScannedPhoto.Status
    /// Number of spines read in the photo.
    public var booksFound: Int
    /// Number of distinct books in all photos so far.
    public var totalBooksFound: Int
    /// All photos of the batch, in order.
    public var photos: [ScannedPhoto]

    /// Creates a payload; nil if there is no such photo.
    public init?(photo: Int, photos: [ScannedPhoto], totalBooksFound: Int) {
        guard photos.indices.contains(photo) else { return nil }
        type = .batchProgress
        currentPhoto = photo
        totalPhotos = photos.count
        photoStatus = photos[photo].status
        booksFound = photos[photo].booksFound
        self.totalBooksFound = totalBooksFound
        self.photos = photos
    }
}

/// `batch-complete`: every photo and every book has an outcome (scans.md "Frames").
public struct BatchCompletePayload: FramePayload {
    /// The outcome of a photo.
    public struct PhotoResult: Codable, Sendable, Equatable {
        /// The final state of a photo.
        public enum Status: String, Codable, Sendable {
            case success
            case error
        }

        /// Index of the photo, from 0.
        public var photoIndex: Int
        /// The same as `photoIndex`.
        public var index: Int
        /// Number of spines read in the photo.
        public var booksFound: Int
        /// Whether the photo was read.
        public var status: Status
        /// Why the photo was not read, as text for users; absent if it was read.
        public var error: String?
    }

    /// Always `batch-complete`.
    public var type: FrameType
    /// Number of distinct books in all photos.
    public var totalBooks: Int
    /// The outcome of each photo, in order.
    public var photoResults: [PhotoResult]
    /// The books as in the results; empty if they do not fit into a frame.
    public var books: [ScannedBook]
    /// Path of the results.
    public var resultsUrl: String

    /// Creates a payload without books.
    public init(jobId: JobID, totalBooks: Int, photos: [ScannedPhoto]) {
        type = .batchComplete
        self.totalBooks = totalBooks
        photoResults = photos.map { photo in
            PhotoResult(
                photoIndex: photo.index, index: photo.index, booksFound: photo.booksFound,
                status: photo.status == .error ? .error : .success, error: photo.error)
        }
        books = []
        resultsUrl = APIPath.scanResults(jobId)
    }
}

/// `batch-canceling`: the last frame of a cancelled batch (scans.md "Frames").
public struct BatchCancelingPayload: FramePayload {
    /// Always `batch-canceling`.
    public var type: FrameType
    /// Always "job_cancelled".
    public var status: String

    /// Creates a payload.
    public init() {
        type = .batchCanceling
        status = StatusText.cancelled
    }
}
