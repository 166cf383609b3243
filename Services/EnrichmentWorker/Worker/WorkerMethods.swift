import BookstrackContract
import GRDB
import JSONRPC
import Observability
import ProviderClient
import ServiceKit
import SuiteMethods
import SuiteStorage

/// The RPC entry points of enrichment-worker: decode, call, encode.
struct WorkerMethods: Sendable {
    /// Length limit for a work identifier, the same as for titles.
    private static let maxWorkID = TextLimit(characters: 500)

    let starter: JobStarter
    let searcher: Searcher
    let reports: MetadataReports
    let covers: CoverFetcher
    var previews = ImportPreviews()
    let cache: ProviderCache
    let status: WorkerStatus
    let figures: WorkerFigureReader
    let probes: ProviderProbes
    let operations: ProviderOperations
    let maxBooks: Int
    let tail: TailHub
    let metrics: ServerMetrics
    /// The effective settings of the process.
    var settings: [ReadSettings.Setting] = []

    /// The router for all methods that the worker serves.
    func router() -> RPCRouter {
        var router = RPCRouter()
        router.handle(HealthCheck.self) { _, _ in
            var answer = HealthCheck.Result(
                service: .enrichmentWorker, version: SuiteVersion.text, readiness: status.readiness())
            answer.photos = status.photos
            return answer
        }
        router.answerMetrics(from: metrics) {
            for provider in status.providers { await provider.budget.refresh() }
            _ = status.readiness()
        }
        router.handle(ReadStatus.self) { _, _ in
            var answer = ReadStatus.Result(of: .enrichmentWorker, status.health, status.readiness())
            answer.worker = try await cacheErrors { try await figures.figures() }
            return answer
        }
        router.answerSettings(of: .enrichmentWorker, settings)
        router.handle(ProbeProviders.self) { _, _ in ProbeProviders.Result(providers: await probes.run()) }
        router.handle(OperateProvider.self) { parameters, _ in try await operations.perform(parameters) }
        router.handle(EnrichBatch.self) { parameters, _ in
            try await start(parameters)
        }
        router.handleRaw(SearchBooks.name, isIdempotent: true) { json, _ in
            let parameters = try BodyCoding.decode(SearchBooks.Parameters.self, from: json)
            return try await searcher.answer(parameters).raw()
        }
        router.handleRaw(PreviewImport.name, isIdempotent: true) { json, _ in
            try await previews.answer(try BodyCoding.decode(PreviewImport.Parameters.self, from: json))
        }
        router.handle(ReportMissingMetadata.self) { parameters, _ in
            try await cacheErrors { try await reports.add(parameters) }
        }
        router.handle(ReadFailingISBNs.self) { parameters, _ in
            let limit = min(max(1, parameters.limit), ReadFailingISBNs.maxCount)
            return try await cacheErrors { try await cache.failingISBNs(limit: limit) }
        }
        router.handle(FetchCover.self) { parameters, _ in try await cover(parameters) }
        router.handle(ReadCacheStatistics.self) { _, _ in try await cacheErrors { try await cache.statistics() } }
        router.handle(PurgeCache.self) { _, _ in
            PurgeCache.Result(removed: try await cacheErrors { try await cache.purge() })
        }
        router.answerTail(of: .enrichmentWorker, from: tail)
        return router
    }

    /// Turns SQLite's errors into RPC errors.
    private func cacheErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as DatabaseError {
            let details: [String: DetailValue] = [
                "service": .text(ServiceName.enrichmentWorker.rawValue), "reason": .text(error.storageReason),
            ]
            throw RPCApplicationError(
                code: APIErrorCode.serviceUnavailable.rawValue,
                message: "enrichment-worker cannot use its cache: \(error.storageReason)",
                details: try? BodyCoding.encode(details), retryAfterSeconds: 5)
        }
    }

    private func cover(_ parameters: FetchCover.Parameters) async throws -> FetchCover.Result {
        do throws(CoverFailure) {
            return try await covers.fetch(parameters)
        } catch {
            throw error.error
        }
    }

    private func start(_ parameters: EnrichBatch.Parameters) async throws -> CreatedJob {
        do {
            return try await starter.start(parameters.jobId, items: try items(parameters.workIds), origin: .peer)
        } catch let error as RPCError where error.applicationCode == nil {
            throw RPCApplicationError(
                code: APIErrorCode.serviceUnavailable.rawValue, message: "progress-host does not answer",
                retryAfterSeconds: 1)
        }
    }

    private func items(_ workIds: [String]) throws(RPCApplicationError) -> [BookQuery] {
        let refusal: String? =
            if workIds.isEmpty {
                "workIds is empty"
            } else if workIds.count > maxBooks {
                "workIds has more than \(maxBooks) entries"
            } else if let excess = workIds.lazy.compactMap(Self.maxWorkID.excess).first {
                "an entry of workIds \(excess)"
            } else {
                nil
            }
        if let refusal { throw RPCApplicationError(code: APIErrorCode.invalidRequest.rawValue, message: refusal) }
        return workIds.map { BookQuery(workId: $0) }
    }
}
