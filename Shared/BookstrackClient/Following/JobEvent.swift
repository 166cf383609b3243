public import BookstrackContract
public import Foundation

/// One event of a job, the same whatever transport brought it.
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
        /// More items are done.
        case progress(JobProgressPayload)
        /// The photos of a scan are known.
        case photosStarted(BatchInitPayload)
        /// The state of a photo has changed.
        case photos(BatchProgressPayload)
        /// Every photo of a scan has its outcome; the end of the job follows.
        case photosCompleted(BatchCompletePayload)
        /// The state of the job. In its place come the other events where polling, or a gap that the server could not fill, hides them.
        case state(JobSummary)
        /// The job is over and its results can be read.
        case completed(JobSummary)
        /// The whole job failed.
        case failed(BookstrackError)
        /// The job was cancelled.
        case cancelled
        /// After the end: retries have improved results, which can be read again. Only to a consumer that asked for it.
        case resultsUpdated(ResultsUpdate)
    }

    /// The job.
    public let jobID: JobID
    /// Number of the event: it rises, and never comes twice. ``Content/resultsUpdated(_:)`` has the number of the last event.
    public let seq: Int
    /// When it happened.
    public let date: Date
    /// What happened.
    public let content: Content
    /// The frame's payload for the events that older clients handle themselves; nil where an event stands for a state.
    public let completion: JobCompletePayload?
    /// The server's message for users about a failed job.
    private let failureText: String?

    /// Makes an event. `failureText` is the server's message for users about a failed job.
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

    /// Whether the job is over: no event follows but ``Content/resultsUpdated(_:)``.
    public var isLast: Bool {
        switch content {
        case .completed, .failed, .cancelled: true
        default: false
        }
    }

    /// The fraction of the job that is done, from 0 to 1; nil if the event does not have it.
    public var progress: Double? {
        switch content {
        case .started: 0
        case .progress(let payload): payload.progress
        case .state(let summary): summary.progress
        case .completed: 1
        default: nil
        }
    }

    /// A sentence for users; nil if the event has none.
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

/// The counts of a job.
public struct JobSummary: Sendable, Equatable {
    /// Its state.
    public var status: JobStatus
    /// From 0 to 1.
    public var progress: Double
    /// Finished items.
    public var processedCount: Int
    /// All items.
    public var totalCount: Int
    /// Items with a result; nil if unknown.
    public var successCount: Int?
    /// Items without one; nil if unknown.
    public var failureCount: Int?

    /// Makes a summary.
    public init(
        status: JobStatus, progress: Double, processedCount: Int, totalCount: Int, successCount: Int? = nil,
        failureCount: Int? = nil
    ) {
        self.status = status
        self.progress = progress
        self.processedCount = processedCount
        self.totalCount = totalCount
        self.successCount = successCount
        self.failureCount = failureCount
    }

    init(_ state: JobState) {
        self.init(
            status: state.status, progress: state.progress, processedCount: state.processedCount,
            totalCount: state.totalCount, successCount: state.successCount, failureCount: state.failureCount)
    }

    init(_ payload: JobCompletePayload) {
        self.init(
            status: .completed, progress: 1, processedCount: payload.totalProcessed,
            totalCount: payload.result.totalBooks, successCount: payload.successCount,
            failureCount: payload.failureCount)
    }
}

/// Results that became better after the end of a job (websocket.md "Following the results").
public struct ResultsUpdate: Sendable, Equatable {
    /// The job.
    public var jobID: JobID
    /// When it was said.
    public var date: Date
    /// See `EnrichmentResults.resultsRevision`.
    public var resultsRevision: Int
    /// Number of rows that became better; nil if that happened while the connection was broken.
    public var improved: Int?
    /// A sentence for users: "We found more metadata for 3 books."
    public var message: String

    /// Makes an update.
    public init(jobID: JobID, date: Date, resultsRevision: Int, improved: Int?, message: String) {
        self.jobID = jobID
        self.date = date
        self.resultsRevision = resultsRevision
        self.improved = improved
        self.message = message
    }

    /// Results as the state of a job describes them.
    init(_ state: JobState, at date: Date) {
        self.init(
            jobID: state.jobId, date: date, resultsRevision: state.resultsRevision, improved: nil,
            message: "We found more metadata.")
    }
}

/// Where the events of a job begin.
public enum EventPosition: Sendable, Equatable {
    /// With the first event.
    case start
    /// With the current state: earlier progress is left out.
    case now
    /// After the event with this number, for example the last one that an app has stored.
    case after(Int)
}
