/// `payload.code` of an `error` frame (websocket.md "Payloads"). Of a socket that is turned away it is the contract's code for HTTP.
public enum FrameErrorCode: String, Codable, Sendable, CaseIterable {
    case enrichmentFailed = "E_ENRICHMENT_FAILED"
    case csvProcessingFailed = "E_CSV_PROCESSING_FAILED"
    case aiScanFailed = "E_AI_SCAN_FAILED"
    case jobCancelled = "E_JOB_CANCELLED"
    case internalError = "E_INTERNAL"
    case unauthorized = "UNAUTHORIZED"
    case notFound = "NOT_FOUND"

    /// The code of a whole job that failed.
    public init(failureOf pipeline: Pipeline) {
        self =
            switch pipeline {
            case .batchEnrichment: .enrichmentFailed
            case .csvImport: .csvProcessingFailed
            case .aiScan: .aiScanFailed
            }
    }

    /// `payload.error.code`, in the vocabulary of older clients.
    public var migrationGuideCode: String {
        switch self {
        case .enrichmentFailed, .jobCancelled, .internalError: "PROCESSING_FAILED"
        case .csvProcessingFailed: "CSV_PARSE_ERROR"
        case .aiScanFailed: "AI_SCAN_ERROR"
        case .unauthorized: "INVALID_TOKEN"
        case .notFound: "JOB_NOT_FOUND"
        }
    }
}
