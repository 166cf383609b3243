import BookstrackClient
import BookstrackContract

/// An update about a watched job.
enum JobUpdate: Sendable {
    /// An event of the job.
    case event(JobEvent)
    /// A frame as received, for JSON output.
    case frame(String)
    /// The job cannot be watched at the moment.
    case interrupted(JobInterruption)
}

/// Why a job cannot be watched at the moment.
struct JobInterruption: Sendable, Equatable {
    let reason: String
    /// The service that is down, if that is the reason.
    let service: String?
    /// Seconds until the next attempt to connect.
    let seconds: Int

    init(_ error: BookstrackError, retryIn delay: Duration) {
        reason = error.obstacle
        service = error.service
        seconds = max(1, Int((delay / .seconds(1)).rounded(.up)))
    }

    /// The message for users.
    var text: String { "\(reason); reconnecting in \(seconds) s." }
}

extension BookstrackClient {
    /// Watches a job from its current state to its last event. The stream throws `BookstrackError` if the job can no longer be followed.
    func updates(of job: JobID) -> AsyncThrowingStream<JobUpdate, any Error> {
        let (updates, source) = AsyncThrowingStream<JobUpdate, any Error>.makeStream()
        let events = events(of: job, from: .now) { status in
            switch status {
            case .received(let frame): source.yield(.frame(frame))
            case .disconnected(let error, let delay) where delay > .zero:
                source.yield(.interrupted(JobInterruption(error, retryIn: delay)))
            case .connecting, .connected, .roundTrip, .disconnected: break
            }
        }
        let watching = Task {
            do {
                for try await event in events { source.yield(.event(event)) }
                source.finish()
            } catch {
                source.finish(throwing: error)
            }
        }
        source.onTermination = { _ in watching.cancel() }
        return updates
    }

    /// Watches a job and returns its last event. Throws if it cannot be watched to its end.
    func watch(_ job: JobID, _ take: (JobUpdate) async -> Void) async throws -> JobEvent {
        for try await update in updates(of: job) {
            await take(update)
            if case .event(let event) = update, event.isLast { return event }
        }
        throw CommandFailure(.interrupted, "cancelled")
    }
}
