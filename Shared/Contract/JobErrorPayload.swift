/// `error`: the job failed as a whole, or the socket can no longer follow it (websocket.md "Payloads").
public struct JobErrorPayload: FramePayload {
    /// The counts before the failure, and details about it; those that do not apply are absent.
    public struct Details: Codable, Sendable, Equatable {
        /// Number of items with a result.
        public var successCount: Int
        /// Number of items without a result.
        public var failureCount: Int
        /// The provider that caused the failure; this server never sets it.
        public var provider: DataProvider?
        /// Line of the uploaded file at which reading stopped, from 1.
        public var lineNumber: Int?
        /// The uploaded file's name.
        public var fileName: String?
        /// The uploaded file's size in bytes.
        public var fileSize: Int?
        /// The photo's size in bytes; absent for a batch of photos.
        public var imageSize: Int?
        /// HTTP status of a provider's error response; this server never sets it.
        public var statusCode: Int?
        /// Number of rows in an uploaded file, if it has too many.
        public var rows: Int?
        /// Maximum number of rows in a file, if the uploaded file has more.
        public var limit: Int?

        /// Creates details.
        public init(successCount: Int, failureCount: Int, provider: DataProvider? = nil) {
            self.successCount = successCount
            self.failureCount = failureCount
            self.provider = provider
        }
    }

    /// The failure in the vocabulary of older clients.
    public struct Inner: Codable, Sendable, Equatable {
        /// An error code known to older clients.
        public var code: String
        /// The same as the payload's `message`.
        public var message: String
    }

    /// Always `error`.
    public var type: FrameType
    /// The stable code of the failure.
    public var code: FrameErrorCode
    /// Why the job failed or can no longer be followed; for an import or a scan, the same text as `userMessage`.
    public var message: String
    /// Friendly text for users.
    public var userMessage: String
    /// Whether starting the job again may succeed; always false for a scan (scans.md "Frames").
    public var retryable: Bool
    /// Titles of up to ten rows without a result; a row without a title is listed by an identifier.
    public var affectedItems: [String]
    /// The counts before the failure, and details about it.
    public var details: Details
    /// The same failure for older clients.
    public var error: Inner

    /// Creates a payload; only the first ten of `affectedItems` are kept. `inner` is the code for older clients if it
    /// differs from `code.legacyCode`.
    public init(
        code: FrameErrorCode, message: String, userMessage: String, retryable: Bool, affectedItems: [String],
        details: Details, inner: String? = nil
    ) {
        type = .error
        self.code = code
        self.message = message
        self.userMessage = userMessage
        self.retryable = retryable
        self.affectedItems = Array(affectedItems.prefix(10))
        self.details = details
        error = Inner(code: inner ?? code.legacyCode, message: message)
    }
}

/// The `payload.code` of an `error` frame (websocket.md "Payloads"). For a socket that can no longer follow its job, the value is the code of an HTTP
/// error.
public enum FrameErrorCode: String, Codable, Sendable, CaseIterable {
    case enrichmentFailed = "E_ENRICHMENT_FAILED"
    case csvProcessingFailed = "E_CSV_PROCESSING_FAILED"
    case aiScanFailed = "E_AI_SCAN_FAILED"
    case batchScanError = "BATCH_SCAN_ERROR"
    case noBooksDetected = "E_NO_BOOKS_DETECTED"
    case geminiTimeout = "E_GEMINI_TIMEOUT"
    case geminiAPIError = "E_GEMINI_API_ERROR"
    case jobCancelled = "E_JOB_CANCELLED"
    case internalError = "E_INTERNAL"
    case unauthorized = "UNAUTHORIZED"
    case notFound = "NOT_FOUND"

    /// The code for a job that failed as a whole.
    public init(failureOf pipeline: Pipeline) {
        self =
            switch pipeline {
            case .batchEnrichment: .enrichmentFailed
            case .csvImport: .csvProcessingFailed
            case .aiScan: .aiScanFailed
            }
    }

    /// The `payload.error.code` for this code, in the vocabulary of older clients.
    public var legacyCode: String {
        switch self {
        case .enrichmentFailed, .jobCancelled, .internalError: "PROCESSING_FAILED"
        case .csvProcessingFailed: "CSV_PARSE_ERROR"
        case .aiScanFailed, .batchScanError, .noBooksDetected, .geminiTimeout, .geminiAPIError: "AI_SCAN_ERROR"
        case .unauthorized: "INVALID_TOKEN"
        case .notFound: "JOB_NOT_FOUND"
        }
    }
}
