public import BookstrackContract
import Foundation

#if canImport(Combine)
    public import Combine
#else
    public import Observation
#endif

/// Starts jobs and keeps their states for views, until the library is reset.
#if !canImport(Combine)
    @Observable
#endif
@MainActor
public final class SyncCoordinator {
    /// The state of a job as shown in a view.
    public enum JobStatus: Sendable, Equatable {
        /// No progress has been reported yet.
        case queued
        /// The job is running; the values are the completed fraction, from 0 to 1, and text for users, which is empty if the job is polled.
        case active(progress: Double, message: String)
        /// The results can be read.
        case completed(JobSummary)
        /// The job failed or can no longer be followed.
        case failed(BookstrackError)
        /// The job was cancelled.
        case cancelled

        /// Whether the state is final.
        public var isOver: Bool {
            switch self {
            case .queued, .active: false
            case .completed, .failed, .cancelled: true
            }
        }
    }

    /// The state of each job that was started or followed.
    public private(set) var jobStatus: [JobID: JobStatus] = [:] { willSet { announceChange() } }

    private let client: BookstrackClient
    private var following: [JobID: OwnedTask] = [:]
    /// The jobs whose end was reported. A job that merely cannot be followed may still be running.
    private var ended: Set<JobID> = []

    /// Creates a coordinator.
    public init(client: BookstrackClient) { self.client = client }

    /// Starts a job that looks up books, and follows it; returns when the server has stored the job on disk.
    ///
    /// Despite its name, the method follows the job over whichever transport works.
    @discardableResult
    public func startEnrichmentWithWebSocket(
        _ books: [BookQuery], jobID: JobID = .random(), priority: JobPriority? = nil
    )
        async throws(BookstrackError) -> JobID
    {
        let job = try await client.startEnrichment(books: books, jobID: jobID, priority: priority)
        follow(job.jobId)
        return job.jobId
    }

    /// Follows a job that was started earlier, for example in a previous launch of the app; has no effect if the job is already being followed.
    public func follow(_ job: JobID) {
        guard following[job] == nil else { return }
        jobStatus[job] = .queued
        let task = OwnedTask()
        following[job] = task
        task.follow(client.events(of: job)) { [weak self] in
            self?.note($0)
        } ended: { [weak self] error in
            self?.following[job] = nil
            if let error { self?.jobStatus[job] = .failed(error) }
        }
    }

    /// Returns the state of a job once the job has ended or can no longer be followed; nil if it was neither started nor followed here.
    public func waitUntilEnd(of job: JobID) async -> JobStatus? {
        await following[job]?.wait()
        return jobStatus[job]
    }

    /// "Library reset": cancels every job that has not ended, and removes all jobs and their tokens. A job whose token the server does not accept, or
    /// which the server no longer has, is removed without being cancelled.
    ///
    /// - Throws: ``BookstrackError`` if a job cannot be cancelled or its token cannot be removed, in which case this job and the remaining ones are
    ///   kept with their tokens.
    public func cancelAll() async throws(BookstrackError) {
        for job in jobStatus.keys {
            try await ended.contains(job) ? client.forget(job) : client.abandon(job)
            following.removeValue(forKey: job)?.cancel()
            ended.remove(job)
            jobStatus[job] = nil
        }
    }

    private func note(_ event: JobEvent) {
        if event.isLast { ended.insert(event.jobID) }
        switch event.content {
        case .completed(let summary): jobStatus[event.jobID] = .completed(summary)
        case .failed(let error): jobStatus[event.jobID] = .failed(error)
        case .cancelled: jobStatus[event.jobID] = .cancelled
        default:
            guard let progress = event.progress else { return }
            jobStatus[event.jobID] = .active(progress: progress, message: event.userMessage ?? "")
        }
    }

    private func announceChange() {
        #if canImport(Combine)
            objectWillChange.send()
        #endif
    }
}

#if canImport(Combine)
    extension SyncCoordinator: ObservableObject {}
#endif
