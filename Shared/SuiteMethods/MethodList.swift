import JSONRPC

/// All methods and notifications used between the suite's processes, except ``TailEvents`` (Services/README.md "JSON-RPC"). Tests compare the list
/// with the methods that each service actually answers.
package enum MethodList {
    /// All entries, sorted by name.
    package static let all: [MethodEntry] =
        (jobs + imports + scans + sockets + work + searches + operation + documented).sorted {
            $0.name < $1.name
        }

    /// The names of the methods that a service answers and of the notifications that it receives, sorted.
    package static func names(answeredBy service: ServiceName) -> [String] {
        all.filter { $0.answeredBy.contains(service) }.map(\.name)
    }

    private static let jobs = [
        MethodEntry(CreateJob.self, .progressHost),
        MethodEntry(BeginDraft.self, .progressHost),
        MethodEntry(AppendToDraft.self, .progressHost),
        MethodEntry(SubmitDraft.self, .progressHost),
        MethodEntry(CancelJob.self, .progressHost),
        MethodEntry(RetryJob.self, .progressHost),
        MethodEntry(RefreshToken.self, .progressHost),
        MethodEntry(ReadJobState.self, .progressHost),
        MethodEntry(ReadJobProgress.self, .progressHost),
        MethodEntry(ListJobs.self, .progressHost),
        MethodEntry(QueryAnalytics.self, .progressHost),
        MethodEntry(ReadJobDetail.self, .progressHost),
        MethodEntry(ReadJobItems.self, .progressHost),
        MethodEntry(ReadFailures.self, .progressHost),
        MethodEntry(OperateJob.self, .progressHost),
        MethodEntry(RecordAudit.self, .progressHost),
        MethodEntry(ReadAudit.self, .progressHost),
        MethodEntry(raw: ReadResults.name, .progressHost, deadline: ReadResults.deadline),
        MethodEntry(raw: ReadResultsPage.name, .progressHost, deadline: ReadResultsPage.deadline),
    ]

    private static let imports = [
        MethodEntry(BeginImport.self, .progressHost),
        MethodEntry(ImportUploaded.self, .progressHost),
        MethodEntry(ClaimImport.self, .progressHost),
        MethodEntry(notification: ImportProgress.name, .progressHost),
        MethodEntry(raw: RecordImportRows.name, .progressHost, deadline: RecordImportRows.deadline),
        MethodEntry(ReleaseImport.self, .progressHost),
        MethodEntry(FinishImport.self, .progressHost),
        MethodEntry(FailImport.self, .progressHost),
        MethodEntry(raw: ReadImportResults.name, .progressHost, deadline: ReadImportResults.deadline),
        MethodEntry(raw: ReadImportPage.name, .progressHost, deadline: ReadImportPage.deadline),
        MethodEntry(raw: PreviewImport.name, .enrichmentWorker, deadline: PreviewImport.deadline),
    ]

    private static let scans = [
        MethodEntry(BeginScan.self, .progressHost),
        MethodEntry(ClaimScan.self, .progressHost),
        MethodEntry(notification: ScanProgress.name, .progressHost),
        MethodEntry(RecordPhoto.self, .progressHost),
    ]

    private static let sockets = [
        MethodEntry(OpenSocket.self, .progressHost),
        MethodEntry(ResumeSockets.self, .progressHost),
        MethodEntry(notification: SocketMessage.name, .progressHost),
        MethodEntry(notification: SocketAlive.name, .progressHost),
        MethodEntry(notification: SocketCaughtUp.name, .progressHost),
        MethodEntry(notification: SocketClosed.name, .progressHost),
        MethodEntry(notification: SocketDelivery.name, .apiProxy),
        MethodEntry(notification: SocketSpeaksV1.name, .apiProxy),
        MethodEntry(notification: CloseSockets.name, .apiProxy),
    ]

    private static let work = [
        MethodEntry(AttachWorker.self, .progressHost),
        MethodEntry(ClaimWork.self, .progressHost),
        MethodEntry(ReleaseWork.self, .progressHost),
        MethodEntry(raw: RecordWork.name, .progressHost, deadline: RecordWork.deadline),
        MethodEntry(notification: WorkWithdrawn.name, .enrichmentWorker),
        MethodEntry(ClaimWebhook.self, .progressHost),
        MethodEntry(RecordWebhook.self, .progressHost),
    ]

    private static let searches = [
        MethodEntry(raw: SearchBooks.name, .enrichmentWorker, deadline: SearchBooks.deadline),
        MethodEntry(FetchCover.self, .enrichmentWorker),
        MethodEntry(ReportMissingMetadata.self, .enrichmentWorker),
        MethodEntry(ReadFailingISBNs.self, .enrichmentWorker),
    ]

    private static let operation = [
        MethodEntry(HealthCheck.self, .apiProxy, .progressHost, .enrichmentWorker),
        MethodEntry(ReadMetrics.self, .apiProxy, .progressHost, .enrichmentWorker),
        MethodEntry(SubscribeToTail.self, .apiProxy, .progressHost, .enrichmentWorker),
        MethodEntry(ReadStatus.self, .apiProxy, .progressHost, .enrichmentWorker),
        MethodEntry(ReadSettings.self, .apiProxy, .progressHost, .enrichmentWorker),
        MethodEntry(ProbeProviders.self, .enrichmentWorker),
        MethodEntry(OperateProvider.self, .enrichmentWorker),
        MethodEntry(ReadCacheStatistics.self, .enrichmentWorker, .apiProxy),
        MethodEntry(PurgeCache.self, .enrichmentWorker, .apiProxy),
    ]

    private static let documented = [
        MethodEntry(PushProgress.self, .progressHost),
        MethodEntry(PushProgress.self, .apiProxy, forwardedAs: PushProgress.proxyName),
        MethodEntry(CloseConnection.self, .progressHost),
        MethodEntry(CloseConnection.self, .apiProxy, forwardedAs: CloseConnection.proxyName),
        MethodEntry(EnrichBatch.self, .enrichmentWorker),
    ]
}

/// A method or notification, as seen by other processes.
package struct MethodEntry: Sendable, Equatable {
    /// The name on the wire.
    package var name: String
    /// The services that answer the method or receive the notification.
    package var answeredBy: [ServiceName]
    /// Whether a call may be repeated if it might have been lost; nil for a notification, which has no response.
    package var isIdempotent: Bool?
    /// How long a caller waits; nil for a notification.
    package var deadline: Duration?

    /// Creates an entry for a typed method, under its own name or the name used by a forwarding service.
    init(_ method: (some RPCMethod).Type, _ services: ServiceName..., forwardedAs name: String? = nil) {
        self.name = name ?? method.name
        answeredBy = services
        isIdempotent = method.isIdempotent
        deadline = method.deadline
    }

    /// Creates an entry for a method whose bodies are passed as raw JSON; all of these are idempotent.
    init(raw name: String, _ service: ServiceName, deadline: Duration) {
        self.name = name
        answeredBy = [service]
        isIdempotent = true
        self.deadline = deadline
    }

    /// Creates an entry for a notification.
    init(notification name: String, _ service: ServiceName) {
        self.name = name
        answeredBy = [service]
    }
}
