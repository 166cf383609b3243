package import BookstrackContract
package import JSONRPC

/// What a start of a job answers; the job is on disk when it arrives (spec/05 "Created on disk before 202").
package struct CreatedJob: Codable, Sendable {
    package var jobId: JobID
    /// A token that works; each repetition of a start gets one more (spec/07 "Repeating a start").
    package var token: String
    package var status: JobStatus
    package var totalCount: Int

    package init(jobId: JobID, token: String, status: JobStatus, totalCount: Int) {
        self.jobId = jobId
        self.token = token
        self.status = status
        self.totalCount = totalCount
    }
}

/// Starts a job whose items fit one frame. Answered by progress-host.
///
/// Application errors: `JOB_EXISTS` when the jobId is taken by another body, `SERVICE_UNAVAILABLE` when storage refuses.
package enum CreateJob: RPCMethod {
    package typealias Result = CreatedJob
    package static let name = "jobs.create"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        package var jobId: JobID
        package var pipeline: Pipeline
        /// SHA-256 of the canonical items, in hex: equal digests are equal bodies (spec/07).
        package var digest: String
        package var items: [BookQuery]

        package init(jobId: JobID, pipeline: Pipeline, digest: String, items: [BookQuery]) {
            self.jobId = jobId
            self.pipeline = pipeline
            self.digest = digest
            self.items = items
        }
    }
}

/// Begins a job whose items cross in pages; a draft lives in memory until it is submitted or its connection closes.
///
/// Application errors: `SERVICE_UNAVAILABLE` when too many drafts are open.
package enum BeginDraft: RPCMethod {
    package static let name = "jobs.draft"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        package var jobId: JobID
        package var pipeline: Pipeline
        package var digest: String
        package var totalCount: Int

        package init(jobId: JobID, pipeline: Pipeline, digest: String, totalCount: Int) {
            self.jobId = jobId
            self.pipeline = pipeline
            self.digest = digest
            self.totalCount = totalCount
        }
    }

    package struct Result: Codable, Sendable {
        package var draftId: Int

        package init(draftId: Int) { self.draftId = draftId }
    }
}

/// Adds a page of items to a draft. Pages are appended in the order in which they arrive.
package enum AppendToDraft: RPCMethod {
    package typealias Result = Nothing
    package static let name = "jobs.draftItems"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        package var draftId: Int
        package var items: [BookQuery]

        package init(draftId: Int, items: [BookQuery]) {
            self.draftId = draftId
            self.items = items
        }
    }
}

/// Turns a complete draft into a job, exactly as `CreateJob` does.
package enum SubmitDraft: RPCMethod {
    package typealias Result = CreatedJob
    package static let name = "jobs.submit"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        package var draftId: Int

        package init(draftId: Int) { self.draftId = draftId }
    }
}
