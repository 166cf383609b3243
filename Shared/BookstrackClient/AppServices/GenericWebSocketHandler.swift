public import BookstrackContract

/// Follows a job of any kind with one handler per outcome, like the class of the same name in the v1 apps. It sends heartbeats, reconnects and
/// restores the state automatically.
@MainActor
public final class GenericWebSocketHandler {
    /// The app's handlers for the events of a job.
    public struct Handlers {
        /// Called for each event before the last.
        public var onProgress: @MainActor (JobEvent) -> Void
        /// Called when the job has completed and its results can be read.
        public var onComplete: @MainActor (JobSummary) -> Void
        /// Called when the job failed, was cancelled (code `E_JOB_CANCELLED`), or can no longer be followed. In the last case, the closure may call
        /// ``GenericWebSocketHandler/connect()`` to try again.
        public var onError: @MainActor (BookstrackError) -> Void

        /// Creates handlers.
        public init(
            onProgress: @escaping @MainActor (JobEvent) -> Void = { _ in },
            onComplete: @escaping @MainActor (JobSummary) -> Void = { _ in },
            onError: @escaping @MainActor (BookstrackError) -> Void = { _ in }
        ) {
            self.onProgress = onProgress
            self.onComplete = onComplete
            self.onError = onError
        }
    }

    /// The job's identifier.
    public let jobId: JobID
    /// The job's kind.
    public let pipeline: Pipeline

    private let client: BookstrackClient
    private let handlers: Handlers
    private let following = OwnedTask()

    /// Creates a handler for a job whose token is in the client's token store.
    public init(client: BookstrackClient, jobId: JobID, pipeline: Pipeline, handlers: Handlers) {
        self.client = client
        self.jobId = jobId
        self.pipeline = pipeline
        self.handlers = handlers
    }

    /// Whether the job is being followed.
    public var isConnected: Bool { following.isRunning }

    /// Follows the job from its first event; has no effect if the job is already being followed.
    public func connect() {
        guard !following.isRunning else { return }
        following.follow(client.events(of: jobId)) { [weak self] in
            self?.handle($0)
        } ended: { [weak self] error in
            if let error { self?.handlers.onError(error) }
        }
    }

    /// Stops following; the job continues.
    public func disconnect() {
        following.cancel()
    }

    /// Returns when the job has ended or is no longer being followed.
    public func waitUntilEnd() async { await following.wait() }

    private func handle(_ event: JobEvent) {
        switch event.content {
        case .completed(let summary): handlers.onComplete(summary)
        case .failed(let error): handlers.onError(error)
        case .cancelled:
            handlers.onError(
                BookstrackError(.init(rawValue: FrameErrorCode.jobCancelled.rawValue), "the job was cancelled"))
        default: handlers.onProgress(event)
        }
    }
}
