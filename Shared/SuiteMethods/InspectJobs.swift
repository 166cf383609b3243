package import BookstrackContract
import JSONRPC

/// Reads the details of one job, for operators. The job is read outside the engine, like ``ListJobs``.
///
/// Application errors: `NOT_FOUND`, `SERVICE_UNAVAILABLE`.
package enum ReadJobDetail: RPCMethod {
    package static let name = "jobs.detail"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Maximum number of events. The newest events are returned, and the first event of the job is always included.
    package static let maxEvents = 200
    /// Maximum frame length in bytes. A longer frame is omitted, because it may contain the books of a whole job.
    package static let maxFrameBytes = 1_024

    package struct Parameters: Codable, Sendable {
        /// Identifier of the job to read.
        package var jobId: JobID

        package init(jobId: JobID) { self.jobId = jobId }
    }

    package struct Result: Codable, Sendable {
        /// The job as shown in lists.
        package var job: ListedJob
        /// The trace of the request that started the job (W3C Trace Context).
        package var traceId: String?
        /// Identifies the client that started the job (``JobOrigin/client``); empty if unknown.
        package var client: String
        /// The job's deadline, in milliseconds since 1970. A job that is still open at that time ends, and its items without an outcome fail.
        package var deadlineAt: Int64
        /// Sequence number of the newest event.
        package var lastSeq: Int
        /// Revision of the results: it increases when the job ends and with each later change to them.
        package var resultsRevision: Int
        /// Number of the ended job's failed items whose retry is planned or in progress.
        package var laterRetries = 0
        /// When the first retry is due, in milliseconds since 1970.
        package var nextRetryAt: Int64?
        /// Number of webhooks that are waiting to be delivered.
        package var webhooks = 0
        /// The job's events, oldest first.
        package var events: [Event] = []
        /// The job's stored tokens, oldest first.
        package var tokens: [Token] = []
        /// The file of an import; nil for other jobs.
        package var file: File?
        /// The photos of a scan; nil for other jobs.
        package var photos: [ScannedPhoto]?

        package init(
            job: ListedJob, traceId: String?, client: String, deadlineAt: Int64, lastSeq: Int, resultsRevision: Int
        ) {
            self.job = job
            self.traceId = traceId
            self.client = client
            self.deadlineAt = deadlineAt
            self.lastSeq = lastSeq
            self.resultsRevision = resultsRevision
        }
    }

    /// A job event.
    package struct Event: Codable, Sendable, Equatable {
        package var seq: Int
        /// When the event happened, in milliseconds since 1970.
        package var at: Int64
        /// The event kind as stored.
        package var kind: String
        /// The frame that was sent, as JSON; nil if it was longer than ``ReadJobDetail/maxFrameBytes``.
        package var frame: String?

        package init(seq: Int, at: Int64, kind: String, frame: String?) {
            self.seq = seq
            self.at = at
            self.kind = kind
            self.frame = frame
        }
    }

    /// What is stored about a token of a job; the token itself is not.
    package struct Token: Codable, Sendable, Equatable {
        /// The token's number, which api-proxy sends when it resumes a socket.
        package var number: Int64
        /// Sequence number of the newest event acknowledged by the token's client; 0 for none.
        package var acknowledged: Int
        /// Whether a client can still connect with the token, which has neither expired nor been revoked.
        package var isValid: Bool

        package init(number: Int64, acknowledged: Int, isValid: Bool) {
            self.number = number
            self.acknowledged = acknowledged
            self.isValid = isValid
        }
    }

    /// An imported file.
    package struct File: Codable, Sendable, Equatable {
        package var name: String
        package var bytes: Int
        package var bytesRead: Int
        /// The job that looks up the books in the file; nil if there is none.
        package var enrichment: JobID?
        /// The import's figures and the recognized properties of the file, as JSON (``ImportSummary``); nil unless the import has completed.
        package var summary: String?
        /// The AI model that identified columns; nil if none did.
        package var model: String?
        /// Why the import failed, as text for users; nil if it did not fail.
        package var failure: String?

        package init(
            name: String, bytes: Int, bytesRead: Int, enrichment: JobID?, summary: String?, model: String?,
            failure: String?
        ) {
            self.name = name
            self.bytes = bytes
            self.bytesRead = bytesRead
            self.enrichment = enrichment
            self.summary = summary
            self.model = model
            self.failure = failure
        }
    }
}

/// Reads the items of a job in order, with their outcomes. They are read outside the engine.
///
/// Application errors: `NOT_FOUND`, `INVALID_REQUEST`, `SERVICE_UNAVAILABLE`.
package enum ReadJobItems: RPCMethod {
    package static let name = "jobs.items"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Maximum number of items per page.
    package static let maxPageSize = 200

    /// The state of an item.
    package enum State: String, Codable, Sendable, CaseIterable {
        case queued
        case succeeded
        case failed
        /// The item had no outcome when the job was cancelled or failed with its import.
        case skipped
    }

    package struct Parameters: Codable, Sendable {
        /// Identifier of the job whose items are read.
        package var jobId: JobID
        /// Only items in this state; nil for all.
        package var state: State?
        /// Index of the first item that may be on the page.
        package var from: Int
        /// Number of items per page, from 1 to ``ReadJobItems/maxPageSize``.
        package var limit: Int

        package init(jobId: JobID, state: State? = nil, from: Int = 0, limit: Int = 50) {
            self.jobId = jobId
            self.state = state
            self.from = from
            self.limit = limit
        }
    }

    package struct Result: Codable, Sendable {
        package var items: [Item]
        /// Where the next page begins; nil after the last item.
        package var next: Int?

        package init(items: [Item], next: Int?) {
            self.items = items
            self.next = next
        }
    }

    package struct Item: Codable, Sendable, Equatable {
        /// Index in the job, from 0.
        package var index: Int
        package var state: State
        /// The query as requested or, for a spine in a photo, as read. A spine without a readable title has the title of its result.
        package var title: String?
        package var author: String?
        package var isbn: String?
        package var workId: String?
        /// Number of lookups that failed and were repeated before the job ended.
        package var attempts: Int
        /// Round of the item's retries after the end of the job, or of its follow-ups; 0 before the first.
        package var retryRound: Int
        /// When the item is retried or followed up, in milliseconds since 1970.
        package var retryAt: Int64?
        /// Why the item has no result, as a stable code.
        package var errorCode: String?
        /// The reason in words.
        package var error: String?
        /// Title of the work that was found; nil if there is none.
        package var found: String?
        /// How the work was matched; nil if none was found.
        package var matchedBy: MatchKind?
        /// The provider that supplied the match, then those that added facts.
        package var providers: [String]?
        /// Titles of near matches; nil if there are none.
        package var candidates: [String]?
        /// Position of the item's spine in a photo; only for scans.
        package var spine: Spine?

        package init(index: Int, state: State, attempts: Int, retryRound: Int) {
            self.index = index
            self.state = state
            self.attempts = attempts
            self.retryRound = retryRound
        }
    }

    /// The position of a book in a photo.
    package struct Spine: Codable, Sendable, Equatable {
        /// Index of the photo in its scan, from 0.
        package var photo: Int
        package var box: BoundingBox

        package init(photo: Int, box: BoundingBox) {
            self.photo = photo
            self.box = box
        }
    }
}

/// Counts the failed items by pipeline and reason, beginning with the newest jobs. The jobs are read outside the engine, within a time limit.
///
/// Application errors: `SERVICE_UNAVAILABLE`.
package enum ReadFailures: RPCMethod {
    package static let name = "jobs.failures"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// Only jobs created at or after this time, in milliseconds since 1970.
        package var createdFrom: Int64

        package init(createdFrom: Int64) { self.createdFrom = createdFrom }
    }

    package struct Result: Codable, Sendable {
        /// The groups, most frequent first.
        package var groups: [Group]
        /// Total number of items of the counted jobs, with and without a result.
        package var items: Int
        /// Whether the time limit was reached, so some jobs may not have been counted.
        package var isPartial: Bool

        package init(groups: [Group], items: Int, isPartial: Bool) {
            self.groups = groups
            self.items = items
            self.isPartial = isPartial
        }
    }

    /// The items of one pipeline that failed for the same reason.
    package struct Group: Codable, Sendable, Equatable {
        package var pipeline: Pipeline
        package var errorCode: String
        /// Number of items in the group.
        package var count: Int
        /// Number of these items whose retry is planned or in progress.
        package var retrying: Int
        /// Jobs with such items, newest first, at most ten.
        package var jobs: [JobID]
        /// The error message of one of the items.
        package var example: String?

        package init(pipeline: Pipeline, errorCode: String, count: Int, retrying: Int, jobs: [JobID], example: String?)
        {
            self.pipeline = pipeline
            self.errorCode = errorCode
            self.count = count
            self.retrying = retrying
            self.jobs = jobs
            self.example = example
        }
    }
}
