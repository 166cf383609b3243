/// `payload.code` of an `error` frame (spec/05 "Errors").
public enum FrameErrorCode: String, Codable, Sendable, CaseIterable {
    case enrichmentFailed = "E_ENRICHMENT_FAILED"
    case jobCancelled = "E_JOB_CANCELLED"
    case internalError = "E_INTERNAL"

    /// `payload.error.code`, in the vocabulary of the migration guide's "Error Codes".
    public var migrationGuideCode: String { "PROCESSING_FAILED" }
}
