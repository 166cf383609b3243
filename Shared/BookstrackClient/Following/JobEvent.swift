public import BookstrackContract
public import Foundation

/// One event of a job; independent of the transport that delivered it.
///
/// ```swift
/// for try await event in client.events(of: job) {
///     bar.doubleValue = event.progress ?? bar.doubleValue
/// }
/// ```
public struct JobEvent: Sendable, Equatable {
    /// What happened.
    public enum Content: Sendable, Equatable {
        /// Work has begun.
        case started(JobStartedPayload)
        /// More of the job is done.
        case progress(JobProgressPayload)
        /// A worker has begun to read the photos of a batch.
        case photosStarted(BatchInitPayload)
        /// The state of a photo in a batch has changed.
        case photos(BatchProgressPayload)
        /// Every photo of a batch has an outcome, and every book has been looked up; the end of the job follows.
        case photosCompleted(BatchCompletePayload)
        /// The state of the job, in place of the events that polling skipped.
        case state(JobSummary)
        /// The job has completed and its results can be read.
        case completed(JobSummary)
        /// The whole job failed.
        case failed(BookstrackError)
        /// The job was cancelled.
        case cancelled
        /// The results have improved after the end of the job, through retries or facts found later, and can be read again. Sent only to a consumer
        /// that requested such updates.
        case resultsUpdated(ResultsUpdate)
    }

    /// The job's identifier.
    public let jobID: JobID
    /// Sequence number of the event: increasing and never repeated, except that ``Content/resultsUpdated(_:)`` has the number of the last event.
    public let seq: Int
    /// When the event happened; for an event derived from a state, when the state was read.
    public let date: Date
    /// What happened.
    public let content: Content
    /// The payload of a `job_complete` frame, for clients that handle it themselves; nil for other events and for an event derived from a state.
    public let completion: JobCompletePayload?
    /// The server's message for users about a failed job.
    private let failureText: String?

    /// Creates an event. `failureText` is the server's message for users about a failed job.
    public init(
        jobID: JobID, seq: Int, date: Date, content: Content, completion: JobCompletePayload? = nil,
        failureText: String? = nil
    ) {
        self.jobID = jobID
        self.seq = seq
        self.date = date
        self.content = content
        self.completion = completion
        self.failureText = failureText
    }

    /// Whether this is the last event of the job; only ``Content/resultsUpdated(_:)`` can follow it.
    public var isLast: Bool {
        switch content {
        case .completed, .failed, .cancelled: true
        default: false
        }
    }

    /// The fraction of the job that is done, from 0 to 1; nil if the event does not contain it.
    public var progress: Double? {
        switch content {
        case .started: 0
        case .progress(let payload): payload.progress
        case .state(let summary): summary.progress
        case .completed: 1
        default: nil
        }
    }

    /// Text for users; nil if the event has none.
    public var userMessage: String? {
        switch content {
        case .started(let payload): payload.status
        case .progress(let payload): payload.userMessage
        case .failed(let error): failureText ?? error.userMessage
        case .completed: completion?.userMessage
        case .resultsUpdated(let update): update.message
        default: nil
        }
    }
}

/// The state and the counts of a job.
public struct JobSummary: Sendable, Equatable {
    /// The job's state.
    public var status: JobStatus
    /// The completed fraction, from 0 to 1.
    public var progress: Double
    /// Number of finished items.
    public var processedCount: Int
    /// Total number of items.
    public var totalCount: Int
    /// Number of items with a result; nil if unknown.
    public var successCount: Int?
    /// Number of items without a result; nil if unknown.
    public var failureCount: Int?
    /// Items without a result, by reason; nil if there are none or the reasons are unknown.
    public var failureCounts: FailureCounts?

    /// Creates a summary.
    public init(
        status: JobStatus, progress: Double, processedCount: Int, totalCount: Int, successCount: Int? = nil,
        failureCount: Int? = nil, failureCounts: FailureCounts? = nil
    ) {
        self.status = status
        self.progress = progress
        self.processedCount = processedCount
        self.totalCount = totalCount
        self.successCount = successCount
        self.failureCount = failureCount
        self.failureCounts = failureCounts
    }

    init(_ state: JobState) {
        self.init(
            status: state.status, progress: state.progress, processedCount: state.processedCount,
            totalCount: state.totalCount, successCount: state.successCount, failureCount: state.failureCount,
            failureCounts: state.failureCounts)
    }

    init(_ payload: JobCompletePayload) {
        self.init(
            status: .completed, progress: 1, processedCount: payload.totalProcessed,
            totalCount: payload.result.totalBooks, successCount: payload.successCount,
            failureCount: payload.failureCount, failureCounts: payload.failureCounts)
    }
}

/// Results that improved after the end of a job (websocket.md "Following the results").
public struct ResultsUpdate: Sendable, Equatable {
    /// The job's identifier.
    public var jobID: JobID
    /// When the update was reported.
    public var date: Date
    /// See `EnrichmentResults.resultsRevision`.
    public var resultsRevision: Int
    /// Number of rows that improved; nil if the client learned of the update only from the job's state, for example after a reconnect.
    public var improved: Int?
    /// A sentence for users, such as "We found more metadata for 3 books."
    public var message: String

    /// Creates an update.
    public init(jobID: JobID, date: Date, resultsRevision: Int, improved: Int?, message: String) {
        self.jobID = jobID
        self.date = date
        self.resultsRevision = resultsRevision
        self.improved = improved
        self.message = message
    }

    /// Creates an update from the state of a job.
    init(_ state: JobState, at date: Date) {
        self.init(
            jobID: state.jobId, date: date, resultsRevision: state.resultsRevision, improved: nil,
            message: "We found more metadata.")
    }
}

/// Where the events of a job begin.
public enum EventPosition: Sendable, Equatable {
    /// At the first event.
    case start
    /// At the current state: earlier progress is skipped.
    case now
    /// After the event with this sequence number, for example the last one that an app has stored.
    case after(Int)
}
