package import BookstrackContract
package import JSONRPC

/// Begins a job whose items are sent in pages. A draft is kept in memory until it is submitted or its connection closes. If no page arrives for a
/// minute, the draft is dropped when another draft is begun.
///
/// Application errors: `INVALID_REQUEST` for a job with no items or too many; `SERVICE_UNAVAILABLE`, for example if too many drafts are open or
/// their jobs would have too many items in total.
package enum BeginDraft: RPCMethod {
    package static let name = "jobs.draft"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The identifier of the future job.
        package var jobId: JobID
        /// The job's kind.
        package var pipeline: Pipeline
        /// The same as in ``CreateJob``.
        package var digest: String
        /// Number of items that will follow.
        package var totalCount: Int
        /// Origin of the start request.
        package var origin: JobOrigin

        package init(
            jobId: JobID, pipeline: Pipeline, digest: String, totalCount: Int, origin: JobOrigin = .peer
        ) {
            self.jobId = jobId
            self.pipeline = pipeline
            self.digest = digest
            self.totalCount = totalCount
            self.origin = origin
        }
    }

    package struct Result: Codable, Sendable {
        /// Identifies the draft within its connection.
        package var draftId: Int

        package init(draftId: Int) { self.draftId = draftId }
    }
}

/// Adds a page of items to a draft. Pages are appended in the order in which they arrive.
///
/// Application errors: `INVALID_REQUEST` if there is no such draft or it would have more items than announced, which drops it;
/// `SERVICE_UNAVAILABLE`.
package enum AppendToDraft: RPCMethod {
    package typealias Result = Nothing
    package static let name = "jobs.draftItems"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// Identifier of the draft to extend.
        package var draftId: Int
        /// The next items.
        package var items: [BookQuery]

        package init(draftId: Int, items: [BookQuery]) {
            self.draftId = draftId
            self.items = items
        }
    }
}

/// Turns a complete draft into a job, as `CreateJob` does with its items.
///
/// Application errors: those of `CreateJob`; `INVALID_REQUEST` also if there is no such draft or if items are missing, which drops it.
package enum SubmitDraft: RPCMethod {
    package typealias Result = CreatedJob
    package static let name = "jobs.submit"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// Identifier of the draft to submit.
        package var draftId: Int

        package init(draftId: Int) { self.draftId = draftId }
    }
}
