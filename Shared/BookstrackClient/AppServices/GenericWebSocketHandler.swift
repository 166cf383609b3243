public import BookstrackContract

/// Follows a job of any kind with one handler for each outcome, as the phase 2 handler did; heartbeat, reconnecting and state after it are built in.
@MainActor
public final class GenericWebSocketHandler {
    /// What an app does with the events of a job.
    public struct Handlers {
        /// Progress; also the start, and the states of photos.
        public var onProgress: @MainActor (JobEvent) -> Void
        /// The job is over; the results can be read.
        public var onComplete: @MainActor (JobSummary) -> Void
        /// The job failed, was cancelled (code `E_JOB_CANCELLED`), or can no longer be followed.
        public var onError: @MainActor (BookstrackError) -> Void

        /// Makes handlers.
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

    /// The job.
    public let jobId: JobID
    /// Its kind.
    public let pipeline: Pipeline

    private let client: BookstrackClient
    private let handlers: Handlers
    private let following = OwnedTask()

    /// Makes a handler for a job whose token the client's store knows.
    public init(client: BookstrackClient, jobId: JobID, pipeline: Pipeline, handlers: Handlers) {
        self.client = client
        self.jobId = jobId
        self.pipeline = pipeline
        self.handlers = handlers
    }

    /// Whether the job is followed.
    public var isConnected: Bool { following.isRunning }

    /// Follows the job from its first event; nothing if it is followed already.
    public func connect() {
        guard !following.isRunning else { return }
        following.start { [weak self, client, jobId] in
            do {
                for try await event in client.events(of: jobId) {
                    guard let self, !Task.isCancelled else { return }
                    handle(event)
                }
            } catch {
                if let error = error as? BookstrackError { self?.handlers.onError(error) }
            }
            self?.following.cancel()
        }
    }

    /// Stops following; the job continues.
    public func disconnect() {
        following.cancel()
    }

    /// Returns when the job is over, or is no longer followed.
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
