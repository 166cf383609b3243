package import BookstrackContract
import JSONRPC

/// Everything stored about one job, for operators. Read outside the engine, like ``ListJobs``.
///
/// Application errors: `NOT_FOUND`, `SERVICE_UNAVAILABLE`.
package enum ReadJobDetail: RPCMethod {
    package static let name = "jobs.detail"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Maximum number of events, the newest ones; the first event of a job is always among them.
    package static let maxEvents = 200
    /// A longer frame is left out, bytes: it carries the books of a whole job.
    package static let maxFrameBytes = 1_024

    package struct Parameters: Codable, Sendable {
        /// The job.
        package var jobId: JobID

        package init(jobId: JobID) { self.jobId = jobId }
    }

    package struct Result: Codable, Sendable {
        /// The job as lists show it.
        package var job: ListedJob
        /// The trace of the request that started it (W3C Trace Context).
        package var traceId: String?
        /// Key by which turns and paid budgets are shared; empty if unknown.
        package var client: String
        /// Milliseconds since 1970; a job that is still open then fails.
        package var deadlineAt: Int64
        /// The newest event.
        package var lastSeq: Int
        /// Increases with each better result after the end.
        package var resultsRevision: Int
        /// Items of an ended job that are to be tried again.
        package var laterRetries = 0
        /// When the first of them is due, milliseconds since 1970.
        package var nextRetryAt: Int64?
        /// Webhooks that wait for an answer with success.
        package var webhooks = 0
        /// Its events, oldest first.
        package var events: [Event] = []
        /// The tokens that clients hold, oldest first.
        package var tokens: [Token] = []
        /// The file of an import.
        package var file: File?
        /// The photos of a scan.
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
        /// Milliseconds since 1970.
        package var at: Int64
        /// The kind, as stored.
        package var kind: String
        /// The frame that was sent, as JSON; nil for one that is longer than ``ReadJobDetail/maxFrameBytes``.
        package var frame: String?

        package init(seq: Int, at: Int64, kind: String, frame: String?) {
            self.seq = seq
            self.at = at
            self.kind = kind
            self.frame = frame
        }
    }

    /// A token of a job, without the token itself.
    package struct Token: Codable, Sendable, Equatable {
        /// Its number, by which api-proxy knows its sockets.
        package var number: Int64
        /// The newest event that its client has acknowledged; 0 for none.
        package var acknowledged: Int
        /// Milliseconds since 1970.
        package var expiresAt: Int64

        package init(number: Int64, acknowledged: Int, expiresAt: Int64) {
            self.number = number
            self.acknowledged = acknowledged
            self.expiresAt = expiresAt
        }
    }

    /// An imported file.
    package struct File: Codable, Sendable, Equatable {
        package var name: String
        package var bytes: Int
        package var bytesRead: Int
        /// The job that looks up its books.
        package var enrichment: JobID?
        /// What was recognised, as JSON (``ImportSummary``); nil until the file is read.
        package var summary: String?
        /// The model that was asked about the columns.
        package var model: String?
        /// Why reading failed.
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

/// The items of a job in their order, with what became of them. Read outside the engine.
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
        /// Never tried, because its job was cancelled or ran out of time.
        case skipped
    }

    package struct Parameters: Codable, Sendable {
        /// The job.
        package var jobId: JobID
        /// Only items in this state; nil for all.
        package var state: State?
        /// Index of the first item that may be on the page.
        package var from: Int
        /// Items of a page, from 1 to ``ReadJobItems/maxPageSize``.
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
        /// Its place in the job, from 0.
        package var index: Int
        package var state: State
        /// As asked; for a spine on a photo, as read.
        package var title: String?
        package var author: String?
        package var isbn: String?
        package var workId: String?
        /// Lookups that failed and were repeated before the job ended.
        package var attempts: Int
        /// Retries after the job's end.
        package var laterRetries: Int
        /// When it is tried again, milliseconds since 1970.
        package var retryAt: Int64?
        /// Why it has no result.
        package var errorCode: String?
        /// The reason in a sentence.
        package var error: String?
        /// Title of the work that was found.
        package var found: String?
        /// How it was found.
        package var matchedBy: MatchKind?
        /// The provider of the match, then those that added facts.
        package var providers: [String]?
        /// Titles of near matches.
        package var candidates: [String]?
        /// Where on a photo its spine is; of scans only.
        package var spine: Spine?

        package init(index: Int, state: State, attempts: Int, laterRetries: Int) {
            self.index = index
            self.state = state
            self.attempts = attempts
            self.laterRetries = laterRetries
        }
    }

    /// The place of a book on a photo.
    package struct Spine: Codable, Sendable, Equatable {
        /// The photo's place in its scan, from 0.
        package var photo: Int
        package var box: BoundingBox

        package init(photo: Int, box: BoundingBox) {
            self.photo = photo
            self.box = box
        }
    }
}

/// Items without a result, grouped by their reason, in the newest jobs first. Read outside the engine and for a limited time.
///
/// Application errors: `INVALID_REQUEST`, `SERVICE_UNAVAILABLE`.
package enum ReadFailures: RPCMethod {
    package static let name = "jobs.failures"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// Only jobs created at this time or later, milliseconds since 1970.
        package var createdFrom: Int64

        package init(createdFrom: Int64) { self.createdFrom = createdFrom }
    }

    package struct Result: Codable, Sendable {
        /// The most frequent first.
        package var groups: [Group]
        /// Items that were counted, with and without a result.
        package var items: Int
        /// Whether the time was over before every job was counted.
        package var isPartial: Bool

        package init(groups: [Group], items: Int, isPartial: Bool) {
            self.groups = groups
            self.items = items
            self.isPartial = isPartial
        }
    }

    /// The items that failed for one reason.
    package struct Group: Codable, Sendable, Equatable {
        package var pipeline: Pipeline
        package var errorCode: String
        /// Items that failed so.
        package var count: Int
        /// Those of them that are to be tried again.
        package var retrying: Int
        /// Jobs that have such items, the newest first, at most ten.
        package var jobs: [JobID]
        /// The sentence of one of them.
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
