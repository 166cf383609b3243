import BookstrackContract
import JSONRPC
import SuiteMethods

/// Hands a validated start to progress-host.
struct JobStarter: Sendable {
    let host: RPCClient

    /// Starts the job, or finds the one that the same request started before. Throws `RPCError`.
    func start(_ batch: BatchRequest) async throws(RPCError) -> CreatedJob {
        let digest = ItemDigest.of(batch.items)
        let pages = ItemPages.split(batch.items)
        guard pages.count > 1 else {
            return try await host.call(
                CreateJob.self,
                .init(jobId: batch.jobId, pipeline: .batchEnrichment, digest: digest, items: batch.items))
        }
        // A draft belongs to the connection it was begun on.
        guard let connection = host.connection else { throw .notConnected }
        let draft = try await connection.call(
            BeginDraft.self,
            .init(jobId: batch.jobId, pipeline: .batchEnrichment, digest: digest, totalCount: batch.items.count))
        for page in pages {
            _ = try await connection.call(AppendToDraft.self, .init(draftId: draft.draftId, items: page))
        }
        return try await connection.call(SubmitDraft.self, .init(draftId: draft.draftId))
    }
}
