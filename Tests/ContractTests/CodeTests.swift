import BookstrackContract
import TestSupport
import Testing

/// Codes that clients compare: http-api.md "Error codes", websocket.md "Payloads" and "Close codes", scans.md "Failures".
@Suite("Codes that clients compare")
struct CodeTests {
    private struct Row: Sendable {
        var code: APIErrorCode
        var text: String
        var status: Int
        var retry: Bool

        init(_ code: APIErrorCode, _ text: String, _ status: Int, retry: Bool = false) {
            (self.code, self.text, self.status, self.retry) = (code, text, status, retry)
        }
    }

    /// The table in http-api.md.
    private static let table = [
        Row(.invalidISBN, "INVALID_ISBN", 400),
        Row(.invalidQuery, "INVALID_QUERY", 400),
        Row(.invalidRequest, "INVALID_REQUEST", 400),
        Row(.batchTooLarge, "BATCH_TOO_LARGE", 400),
        Row(.csvParseError, "CSV_PARSE_ERROR", 400),
        Row(.unauthorized, "UNAUTHORIZED", 401),
        Row(.tokenExpired, "TOKEN_EXPIRED", 401),
        Row(.tokenRefreshTooEarly, "TOKEN_REFRESH_TOO_EARLY", 401),
        Row(.forbidden, "FORBIDDEN", 403),
        Row(.notFound, "NOT_FOUND", 404),
        Row(.methodNotAllowed, "METHOD_NOT_ALLOWED", 405),
        Row(.requestTimeout, "REQUEST_TIMEOUT", 408, retry: true),
        Row(.jobExists, "JOB_EXISTS", 409),
        Row(.jobNotRetryable, "JOB_NOT_RETRYABLE", 409),
        Row(.fileTooLarge, "FILE_TOO_LARGE", 413),
        Row(.unsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", 415),
        Row(.upgradeRequired, "UPGRADE_REQUIRED", 426),
        Row(.rateLimitExceeded, "RATE_LIMIT_EXCEEDED", 429, retry: true),
        Row(.tooManyConnections, "TOO_MANY_CONNECTIONS", 429, retry: true),
        Row(.internalError, "INTERNAL_ERROR", 500, retry: true),
        Row(.providerError, "PROVIDER_ERROR", 502, retry: true),
        Row(.providerTimeout, "PROVIDER_TIMEOUT", 504, retry: true),
        Row(.quotaExhausted, "QUOTA_EXHAUSTED", 503, retry: true),
        Row(.scannerUnavailable, "SCANNER_UNAVAILABLE", 503, retry: true),
        Row(.serviceUnavailable, "SERVICE_UNAVAILABLE", 503, retry: true),
    ]

    @Test("each HTTP error has the text, status and retry flag in the documented table", arguments: table)
    private func httpErrors(row: Row) {
        #expect(row.code.rawValue == row.text)
        #expect(row.code.status == row.status)
        #expect(row.code.isRetryable == row.retry)
    }

    @Test("the documented table contains every HTTP error exactly once")
    func allHTTPErrors() {
        #expect(Set(Self.table.map(\.code)) == Set(APIErrorCode.allCases))
        #expect(Self.table.count == APIErrorCode.allCases.count)
    }

    @Test(
        "each error frame code is mapped to the inner code that older apps read",
        arguments: [
            ("E_ENRICHMENT_FAILED", "PROCESSING_FAILED"), ("E_CSV_PROCESSING_FAILED", "CSV_PARSE_ERROR"),
            ("E_AI_SCAN_FAILED", "AI_SCAN_ERROR"), ("BATCH_SCAN_ERROR", "AI_SCAN_ERROR"),
            ("E_NO_BOOKS_DETECTED", "AI_SCAN_ERROR"), ("E_GEMINI_TIMEOUT", "AI_SCAN_ERROR"),
            ("E_GEMINI_API_ERROR", "AI_SCAN_ERROR"), ("E_JOB_CANCELLED", "PROCESSING_FAILED"),
            ("E_INTERNAL", "PROCESSING_FAILED"), ("UNAUTHORIZED", "INVALID_TOKEN"),
            ("NOT_FOUND", "JOB_NOT_FOUND"),
        ])
    func frameErrors(text: String, inner: String) throws {
        let code = try #require(FrameErrorCode(rawValue: text))
        #expect(code.legacyCode == inner)
    }

    @Test("there are exactly 11 error frame codes")
    func frameErrorCount() {
        #expect(FrameErrorCode.allCases.count == 11)
    }

    @Test(
        "a failed job's code depends on its pipeline",
        arguments: [
            (Pipeline.batchEnrichment, FrameErrorCode.enrichmentFailed), (.csvImport, .csvProcessingFailed),
            (.aiScan, .aiScanFailed),
        ])
    func failureOfPipeline(pipeline: Pipeline, code: FrameErrorCode) {
        #expect(FrameErrorCode(failureOf: pipeline) == code)
    }

    @Test(
        "an item may be retried only if its failure may be temporary",
        arguments: [
            ("INVALID_ISBN", false), ("NOT_FOUND", false), ("PROVIDER_TIMEOUT", true), ("PROVIDER_ERROR", true),
            ("QUOTA_EXHAUSTED", true), ("CANCELLED", false), ("DEADLINE_EXCEEDED", false),
        ])
    func items(text: String, retry: Bool) throws {
        #expect(try #require(ItemErrorCode(rawValue: text)).isRetryable == retry)
        #expect(ItemErrorCode.allCases.count == 7)
    }

    @Test(
        "each close code has its documented number",
        arguments: [
            (CloseCode.normal, 1_000), (.goingAway, 1_001), (.protocolError, 1_002), (.invalidPayload, 1_007),
            (.policyViolation, 1_008), (.messageTooBig, 1_009), (.internalError, 1_011), (.serviceRestart, 1_012),
            (.tryAgainLater, 1_013),
        ] as [(CloseCode, UInt16)])
    func closeCodes(code: CloseCode, number: UInt16) throws {
        #expect(code.rawValue == number)
        #expect(try WireForm.of(code) == "\(number)")
    }

    @Test(
        "codes that RFC 6455 reserves for closes without a close frame cannot be sent", arguments: [1_005, 1_006])
    func reservedCloseCodes(number: UInt16) {
        #expect(CloseCode(rawValue: number) == nil)
    }

    @Test(
        "each status indicates whether the job has ended",
        arguments: [
            ("pending", false), ("processing", false), ("cancelling", false), ("completed", true), ("failed", true),
            ("cancelled", true),
        ])
    func statuses(text: String, isOver: Bool) throws {
        #expect(try #require(JobStatus(rawValue: text)).isTerminal == isOver)
        #expect(JobStatus.allCases.count == 6)
    }
}
