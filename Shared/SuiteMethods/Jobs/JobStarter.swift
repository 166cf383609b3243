package import BookstrackContract
package import JSONRPC
import Observability

/// Hands a validated start to progress-host, in one call or page by page (Services/README.md "JSON-RPC").
package struct JobStarter: Sendable {
    private let host: RPCClient

    package init(host: RPCClient) { self.host = host }

    /// Starts a batch enrichment, or finds the one that the same request started before.
    ///
    /// - Throws: ``RPCError``.
    package func start(_ jobId: JobID, items: [BookQuery], origin: JobOrigin) async throws(RPCError) -> CreatedJob {
        Activity.current?.concern(job: jobId.text)
        // A draft belongs to the connection it was begun on.
        guard let connection = host.connection else { throw .notConnected }
        let digest = JobDigest.of(items)
        let pages = ItemPages.split(items)
        guard pages.count > 1 else {
            return try await connection.call(
                CreateJob.self,
                .init(jobId: jobId, pipeline: .batchEnrichment, digest: digest, items: items, origin: origin))
        }
        let draft = try await connection.call(
            BeginDraft.self,
            .init(
                jobId: jobId, pipeline: .batchEnrichment, digest: digest, totalCount: items.count, origin: origin))
        for page in pages {
            _ = try await connection.call(AppendToDraft.self, .init(draftId: draft.draftId, items: page))
        }
        return try await connection.call(SubmitDraft.self, .init(draftId: draft.draftId))
    }
}
