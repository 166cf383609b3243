import BookstrackContract
import Observability

/// The outcome of an upload, as a label of its metrics.
enum UploadOutcome: String, MetricLabel {
    case accepted
    /// A file, all files together, or the rest of the form is too large (413).
    case tooLarge = "too_large"
    /// The type of the file or the form, or a content coding, is not accepted (415).
    case wrongType = "wrong_type"
    /// Any other fault of the request or the file, for example a form without a file.
    case invalid
    /// The job's identifier is already in use, for example for a different file (409).
    case conflict
    /// The body arrived too slowly (408).
    case late
    /// The upload cannot be accepted now, for example because there are too many or the disk is full (503).
    case unavailable
    /// The client disconnected.
    case abandoned
    /// A fault of the server (500).
    case failed

    static let labelName = "outcome"

    /// - Parameter failure: nil if the client disconnected.
    init(_ failure: APIFailure?) {
        guard let failure else {
            self = .abandoned
            return
        }
        self =
            switch failure.code {
            case .fileTooLarge: .tooLarge
            case .unsupportedMediaType: .wrongType
            case .jobExists: .conflict
            case .requestTimeout: .late
            case .serviceUnavailable: .unavailable
            default: failure.code.status < 500 ? .invalid : .failed
            }
    }

    /// The outcome as shown by the tail (command-line.md "tail").
    var tail: TailOutcome {
        switch self {
        case .abandoned: .canceled
        case .unavailable, .failed: .error
        case .accepted, .tooLarge, .wrongType, .invalid, .conflict, .late: .ok
        }
    }
}

/// Metrics of uploads: library files, including those for previews, and photos.
struct UploadMetrics: Sendable {
    private let uploads: Labeled<UploadOutcome, Counter>
    private let bytes: Counter
    private let durations: Histogram

    init(_ registry: MetricRegistry) {
        uploads = registry.counters(
            "bookstrack_uploads_total", help: "Uploads of files, including previews, by outcome.",
            by: UploadOutcome.self
        )
        bytes = registry.counter(
            "bookstrack_upload_bytes_total", help: "Bytes of uploaded files that were written to disk.")
        durations = registry.histogram(
            "bookstrack_upload_duration_seconds", help: "Time from a request's head to the response to its upload.",
            .longDurations)
        uploads.showAll()
    }

    /// Counts bytes that were written to disk.
    func wrote(_ count: Int) { bytes.add(count) }

    /// Counts an upload that has ended, and records how long it took.
    func ended(_ outcome: UploadOutcome, after time: Duration) {
        uploads[outcome].add()
        durations.observe(time)
    }
}

extension MetricRegistry {
    /// Declares the metrics of running uploads and of stored files.
    func declare(_ uploads: UploadReceiver, limit: Int) {
        gauge("bookstrack_uploads_open", help: "Uploads in progress.") { [limiter = uploads.limiter] in
            Double(limiter.count)
        }
        gauge(
            "bookstrack_upload_folder_bytes",
            help: "Bytes of uploaded files of open jobs, and of photos that are still kept."
        ) { [directory = uploads.directory] in Double(directory.storedBytes()) }
        gauge(
            "bookstrack_upload_folder_limit_bytes",
            help: "Maximum total bytes of uploaded files (BOOKSTRACK_MAX_UPLOAD_BYTES_TOTAL)."
        ) { Double(limit) }
    }
}
