package import BookstrackContract
import JSONRPC
package import Observability

/// Reserves a job for uploaded photos, as ``BeginImport`` does for a library file. ``ImportUploaded`` then reports that the photos are stored as
/// `uploads/<jobId>/photo-0` and so on (scans.md "Life").
///
/// Application errors: `JOB_EXISTS` as for ``BeginImport``, but for different photos; `INVALID_REQUEST` if there are no photos, too many, or an empty
/// one; `SERVICE_UNAVAILABLE`, for example if storage refuses writes.
package enum BeginScan: RPCMethod {
    package typealias Result = BeginImport.Result
    package static let name = "scans.begin"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// The client's own identifier, or a new one.
        package var jobId: JobID
        /// SHA-256 that identifies the upload: 64 lower-case hexadecimal digits.
        package var sha256: String
        /// Sizes of the photos in bytes, in upload order.
        package var photos: [Int]
        /// Whether the client follows the photos individually (scans.md "Frames").
        package var isBatch: Bool
        /// Whether sockets without a token may follow and cancel the job, because shipped apps open them without one (scans.md "Sockets").
        package var isTokenless: Bool
        /// Origin of the start request.
        package var origin: JobOrigin

        package init(
            jobId: JobID, sha256: String, photos: [Int], isBatch: Bool, isTokenless: Bool = false, origin: JobOrigin
        ) {
            self.jobId = jobId
            self.sha256 = sha256
            self.photos = photos
            self.isBatch = isBatch
            self.isTokenless = isTokenless
            self.origin = origin
        }
    }
}

/// Claims the photos of a scan. The call is answered like ``ClaimImport``. The lease ends with the last photo's ``RecordPhoto``, with the job,
/// with ``ReleaseImport``, with the connection, or two minutes after the last message about the step.
package enum ClaimScan: RPCMethod {
    package typealias Parameters = ClaimImport.Parameters
    package static let name = "scans.claim"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(40)

    package struct Result: Codable, Sendable {
        /// The photos to read, if there are any.
        package var step: ScanStep?

        package init(step: ScanStep?) { self.step = step }
    }
}

/// The photos of a scan that are still to be read, leased to a worker.
package struct ScanStep: Codable, Sendable {
    /// A photo.
    package struct Photo: Codable, Sendable {
        /// Index among the photos of the job, from 0.
        package var index: Int
        /// Absolute path of the file in the data directory.
        package var path: String
        /// Size of the file in bytes.
        package var bytes: Int

        package init(index: Int, path: String, bytes: Int) {
            self.index = index
            self.path = path
            self.bytes = bytes
        }
    }

    /// The scan and the attempt number.
    package var key: ReadingStepKey
    /// The photos, in reading order; never empty.
    package var photos: [Photo]
    /// The trace and request that started the job, as in ``ClaimedItem``.
    package var traceId: String?
    package var requestId: String?

    package init(key: ReadingStepKey, photos: [Photo], trace: TraceContext? = nil) {
        self.key = key
        self.photos = photos
        traceId = trace?.traceID
        requestId = trace?.ownRequestID
    }

    /// The trace and request that started the job; nil if unknown.
    package var trace: TraceContext? { traceId.flatMap { TraceContext(traceID: $0, requestID: requestId) } }
}

/// Reports that a photo is being read, and renews the lease of its step. Sent by enrichment-worker.
package enum ScanProgress: RPCNotification {
    package static let name = "scans.progress"

    package struct Parameters: Codable, Sendable {
        /// The step of the photo.
        package var key: ReadingStepKey
        /// Index of the photo that is being read, among those of the job, from 0.
        package var photo: Int

        package init(key: ReadingStepKey, photo: Int) {
            self.key = key
            self.photo = photo
        }
    }
}

/// Records the outcome of a photo. The call is answered when the outcome has been committed. A photo keeps its first outcome, so repeating the call
/// has no effect.
///
/// Application errors: `INVALID_REQUEST` for a photo that does not belong to the scan or has too many spines, `SERVICE_UNAVAILABLE`, for example
/// while storage refuses writes.
package enum RecordPhoto: RPCMethod {
    package typealias Result = StepAnswer
    package static let name = "scans.record"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(15)

    package struct Parameters: Codable, Sendable {
        /// The step of the photo.
        package var key: ReadingStepKey
        /// Index of the photo among those of the job, from 0.
        package var photo: Int
        /// Width in pixels, as displayed; nil if unknown, for example because the file is damaged.
        package var width: Int?
        /// Height in pixels, as displayed; nil if unknown.
        package var height: Int?
        /// The reading; nil if the photo could not be read.
        package var reading: PhotoReading?
        /// Why the photo could not be read; nil if it was read.
        package var fault: PhotoFault?

        package init(key: ReadingStepKey, photo: Int, outcome: Swift.Result<PhotoReading, PhotoFault>) {
            self.key = key
            self.photo = photo
            switch outcome {
            case .success(let reading): self.reading = reading
            case .failure(let fault): self.fault = fault
            }
        }
    }
}

/// What an engine read in a photo.
package struct PhotoReading: Codable, Sendable, Equatable {
    /// Maximum number of spines in a photo.
    package static let maxSpines = 100

    /// Name of the engine.
    package var engine: String
    /// Name of the engine's model.
    package var model: String
    /// The spines in the photo; at most ``maxSpines``.
    package var spines: [DetectedSpine]

    package init(engine: String, model: String, spines: [DetectedSpine]) {
        self.engine = engine
        self.model = model
        self.spines = spines
    }
}

/// A spine whose book is looked up (``ClaimedItem``).
package struct SpineItem: Codable, Sendable, Equatable {
    /// Index of the photo, from 0.
    package var photo: Int
    /// Name of the engine that read the spine.
    package var engine: String
    /// What the engine read on the spine.
    package var reading: DetectedSpine

    package init(photo: Int, engine: String, reading: DetectedSpine) {
        self.photo = photo
        self.engine = engine
        self.reading = reading
    }
}

/// The results of a scan except for its books (``ReadResults``).
package struct ScanFigures: Codable, Sendable, Equatable {
    /// Total number of books, each counted once.
    package var detected: Int
    /// Number of books that need no review.
    package var approved: Int
    /// Number of books for which a provider has metadata.
    package var enriched: Int
    /// All photos of the scan, in order.
    package var photos: [ScannedPhoto]
    /// The model that read the most photos; empty if no photo was read.
    package var modelUsed: String
    /// Milliseconds from the first claim to the end of the scan; 0 if it was never claimed.
    package var processingTime: Int
    /// When the scan ended, in milliseconds since 1970.
    package var endedAt: Int64

    package init(
        detected: Int, approved: Int, enriched: Int, photos: [ScannedPhoto], modelUsed: String, processingTime: Int,
        endedAt: Int64
    ) {
        self.detected = detected
        self.approved = approved
        self.enriched = enriched
        self.photos = photos
        self.modelUsed = modelUsed
        self.processingTime = processingTime
        self.endedAt = endedAt
    }

    /// How the photos were read, in the clients' format.
    package var reading: BookstrackContract.ScanResults.Reading {
        .init(
            modelUsed: modelUsed, processingTime: processingTime, enrichedCount: enriched,
            timestamp: ISO8601Milliseconds.string(fromMilliseconds: endedAt))
    }
}
