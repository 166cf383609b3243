import BookstrackContract

/// The named schemas of both documents; the raw value is a schema's name under `components`.
enum SchemaName: String, CaseIterable {
    case work = "WorkDTO"
    case edition = "EditionDTO"
    case author = "AuthorDTO"
    case searchResults = "BookSearchResponse"
    case editionResults = "EditionSearchResponse"
    case matchReport = "MatchReport"
    case volume = "LegacyVolume"
    case volumeList = "LegacyVolumeList"
    case book = "BookQuery"
    case batchRequest = "EnrichmentBatchRequest"
    case booksBatch = "BatchOfBooks"
    case isbnsBatch = "BatchOfISBNs"
    case barcodesBatch = "BatchOfBarcodes"
    case workIdsBatch = "BatchOfWorkIds"
    case startedJob = "StartedJob"
    case legacyStartedJob = "LegacyStartedJob"
    case bookRequest = "BookEnrichmentRequest"
    case bookByISBN = "BookByISBN"
    case bookByTitle = "BookByTitle"
    case bookByBarcode = "BookByBarcode"
    case bookEnrichment = "BookEnrichment"
    case enrichedMetadata = "EnrichedMetadata"
    case enrichedBook = "EnrichedBook"
    case enrichmentResults = "EnrichmentResults"
    case importUpload = "ImportUpload"
    case startedImport = "StartedImport"
    case importedBook = "ImportedBook"
    case importRowError = "ImportRowError"
    case skippedRow = "SkippedRow"
    case importSource = "ImportSource"
    case importResults = "ImportResults"
    case shippedImportResults = "ImportResultsOfApps"
    case importPreview = "ImportPreview"
    case importStatus = "ImportStatus"
    case shippedImportStatus = "ImportStatusOfApps"
    case scanUpload = "ScanUpload"
    case startedScan = "StartedScan"
    case batchScanUpload = "BatchScanUpload"
    case batchScanPhotos = "BatchScanPhotos"
    case startedBatchScan = "StartedBatchScan"
    case boundingBox = "BoundingBox"
    case scannedPhoto = "ScannedPhoto"
    case scannedBook = "ScannedBook"
    case scanResults = "ScanResults"
    case jobResults = "JobResults"
    case shippedJobResults = "JobResultsOfApps"
    case insights = "JobInsights"
    case distribution = "Distribution"
    case report = "MissingMetadataReport"
    case reportByISBN = "ReportByISBN"
    case reportOfRow = "ReportOfRow"
    case reportReceipt = "ReportReceipt"
    case jobState = "JobState"
    case jobAccess = "JobAccess"
    case jobSelection = "JobSelection"
    case cancelRequest = "CancelRequest"
    case cancelOutcome = "CancelOutcome"
    case retryOutcome = "RetryOutcome"
    case tokenRequest = "TokenRefreshRequest"
    case refreshedToken = "TokenRefreshed"
    case health = "HealthReport"
    case liveness = "Liveness"
    case readiness = "ReadinessReport"
    case metadata = "ResponseMetadata"
    case providerReport = "ProviderReport"
    case failure = "FailureEnvelope"
    case jobStarted = "JobStartedPayload"
    case jobProgress = "JobProgressPayload"
    case jobComplete = "JobCompletePayload"
    case jobError = "JobErrorPayload"
    case batchInit = "BatchInitPayload"
    case batchProgress = "BatchProgressPayload"
    case batchComplete = "BatchCompletePayload"
    case batchCanceling = "BatchCancelingPayload"
    case resultsUpdated = "ResultsUpdatedPayload"
    case readyAck = "ReadyAckPayload"
    case reconnected = "ReconnectedPayload"
    case ping = "PingPayload"
    case pong = "PongPayload"
    case v1Frame = "V1Frame"

    var schema: Schema {
        switch self {
        case .work: BookSchemas.work
        case .edition: BookSchemas.edition
        case .author: BookSchemas.author
        case .searchResults: BookSchemas.searchResults
        case .editionResults: BookSchemas.editionResults
        case .matchReport: BookSchemas.matchReport
        case .volume: LegacySearchSchemas.volume
        case .volumeList: LegacySearchSchemas.volumeList
        case .book: BatchSchemas.book
        case .batchRequest: BatchSchemas.request
        case .booksBatch: BatchSchemas.ofBooks
        case .isbnsBatch: BatchSchemas.ofISBNs
        case .barcodesBatch: BatchSchemas.ofBarcodes
        case .workIdsBatch: BatchSchemas.ofWorkIds
        case .startedJob: BatchSchemas.started
        case .legacyStartedJob: BatchSchemas.legacyStarted
        case .bookRequest: BookEnrichmentSchemas.request
        case .bookByISBN: BookEnrichmentSchemas.byISBN
        case .bookByTitle: BookEnrichmentSchemas.byTitle
        case .bookByBarcode: BookEnrichmentSchemas.byBarcode
        case .bookEnrichment: BookEnrichmentSchemas.result
        case .enrichedMetadata: ResultsSchemas.enrichedMetadata
        case .enrichedBook: ResultsSchemas.enrichedBook
        case .enrichmentResults: ResultsSchemas.results
        case .importUpload: ImportSchemas.upload
        case .startedImport: ImportSchemas.started
        case .importedBook: ImportSchemas.book
        case .importRowError: ImportSchemas.rowError
        case .skippedRow: ImportSchemas.skippedRow
        case .importSource: ImportSchemas.source
        case .importResults: ImportSchemas.results
        case .shippedImportResults: ImportSchemas.shippedResults
        case .importPreview: ImportSchemas.preview
        case .importStatus: ImportSchemas.statusData
        case .shippedImportStatus: ImportSchemas.shippedStatusData
        case .scanUpload: ScanSchemas.upload
        case .startedScan: ScanSchemas.started
        case .batchScanUpload: ScanSchemas.batchUpload
        case .batchScanPhotos: ScanSchemas.batchPhotos
        case .startedBatchScan: ScanSchemas.startedBatch
        case .boundingBox: ScanSchemas.box
        case .scannedPhoto: ScanSchemas.photo
        case .scannedBook: ScanSchemas.book
        case .scanResults: ScanSchemas.results
        case .jobResults: JobSchemas.results
        case .shippedJobResults: JobSchemas.shippedResults
        case .insights: JobSchemas.insights
        case .distribution: JobSchemas.distribution
        case .report: ReportSchemas.request
        case .reportByISBN: ReportSchemas.byISBN
        case .reportOfRow: ReportSchemas.ofRow
        case .reportReceipt: ReportSchemas.receipt
        case .jobState: JobSchemas.state
        case .jobAccess: JobSchemas.access
        case .jobSelection: .object([.required("jobs", JobSchemas.selectedJobs)])
        case .cancelRequest: JobSchemas.cancelRequest
        case .cancelOutcome: JobSchemas.cancelOutcome
        case .retryOutcome: JobSchemas.retryOutcome
        case .tokenRequest: JobSchemas.tokenRequest
        case .refreshedToken: JobSchemas.refreshedToken
        case .health: HealthSchemas.health
        case .liveness: HealthSchemas.liveness
        case .readiness: HealthSchemas.readiness
        case .metadata: EnvelopeSchemas.metadata
        case .providerReport: EnvelopeSchemas.providerReport
        case .failure: EnvelopeSchemas.failure
        case .jobStarted: FrameSchemas.jobStarted
        case .jobProgress: FrameSchemas.jobProgress
        case .jobComplete: FrameSchemas.jobComplete
        case .jobError: FrameSchemas.jobError
        case .batchInit: ScanSchemas.batchInit
        case .batchProgress: ScanSchemas.batchProgress
        case .batchComplete: ScanSchemas.batchComplete
        case .batchCanceling: ScanSchemas.batchCanceling
        case .resultsUpdated: FrameSchemas.resultsUpdated
        case .readyAck: FrameSchemas.readyAck
        case .reconnected: FrameSchemas.reconnected
        case .ping: FrameSchemas.ping
        case .pong: FrameSchemas.pong
        case .v1Frame: FrameSchemas.v1Frame
        }
    }
}

extension SchemaName {
    /// The named schemas to which `schemas` refer, directly or indirectly.
    static func reached(from schemas: [Schema]) -> Set<SchemaName> {
        var reached: Set<SchemaName> = []
        var open = schemas
        while let schema = open.popLast() {
            switch schema {
            case .named(let name): if reached.insert(name).inserted { open.append(name.schema) }
            case .list(let element, _): open.append(element)
            case .map(let value): open.append(value)
            case .object(let properties): open += properties.map(\.schema)
            case .anyOf(let schemas), .oneOf(let schemas): open += schemas
            case .string, .choice, .whole, .number, .flag, .null, .bytes: break
            }
        }
        return reached
    }
}

/// The envelope's `metadata`, and the envelope of a failure (http-api.md "Envelope").
enum EnvelopeSchemas {
    static let metadata = Schema.object([
        .required("timestamp", .time),
        .optional("processingTime", .count, "Milliseconds."),
        .optional("provider", .text, "Source of the response, or \"none\"."),
        .optional("cached", .flag),
        .optional("stale", .flag, "True if the response has expired but is served until a newer one is available."),
        .optional("providers", .list(of: .providerReport), "Each provider's outcome, if any provider failed."),
    ])

    static let providerReport = Schema.object([
        .required("provider", .choice(of: DataProvider.self)),
        .required("outcome", .choice(["ok", "not_found", "timeout", "error", "quota_exhausted"])),
        .required("durationMs", .count),
    ])

    static let failure = Schema.object([
        .required("success", .flag, "Always false."),
        .required("data", .null),
        .required("metadata", .named(.metadata)),
        .required(
            "error",
            .object([
                .required("message", .text, "Human-readable message."),
                .required("code", .choice(of: APIErrorCode.self), "The stable code."),
                .optional("details", .map(of: .anyOf([.text, .integer, .flag, .list(of: .text)]))),
                .required("retryable", .flag, "Whether the same request may succeed later."),
                .required("statusCode", .integer(400...599), "Same as the HTTP status."),
            ])),
    ])
}

/// The responses of `/health*` (http-api.md "Readiness").
enum HealthSchemas {
    private static let status = Schema.choice(["ready", "degraded", "unavailable"])

    static let health = Schema.object([
        .required("status", .choice(["ok"])), .required("worker", .text, "Name of the service."),
        .required("version", .text), .required("endpoints", .list(of: .text)),
    ])

    static let liveness = Schema.object([.required("status", .choice(["live"]))])

    static let readiness = Schema.object([
        .required("status", status),
        .optional(
            "dependencies",
            .list(
                of: .object([
                    .required("name", .text), .required("status", status), .required("reason", .text),
                ])), "On the admin listener only."),
    ])
}
