import BookstrackContract
import Foundation

@testable import BookstrackClient

extension EventFollower {
    /// A follower without a network, a clock or randomness: every random number is the largest possible one.
    static func make(
        from position: EventPosition = .start, followsResults: Bool = false,
        _ change: (inout FollowPolicy) -> Void = { _ in }
    ) -> EventFollower {
        var policy = FollowPolicy()
        change(&policy)
        return EventFollower(from: position, policy: policy, followsResults: followsResults) { $0.upperBound }
    }
}

extension EventFollower.Reception {
    /// The number of the event to deliver.
    var seq: Int? {
        switch self {
        case .deliver(let event): event.seq
        case .finish(let event): event?.seq
        default: nil
        }
    }
}

extension EventFollower.Next {
    /// The pause before the next attempt; nil if there is none.
    var pause: Duration? { if case .retry(let pause, _) = self { pause } else { nil } }
}

extension ServerMessage {
    private static let job = JobID.random()
    private static let date = Date(timeIntervalSince1970: 0)

    /// An event with this number; the state of a running job unless `content` is given.
    static func event(_ seq: Int, _ content: JobEvent.Content? = nil) -> ServerMessage {
        let summary = JobSummary(status: .processing, progress: 0, processedCount: 0, totalCount: 1)
        return .event(JobEvent(jobID: job, seq: seq, date: date, content: content ?? .state(summary)))
    }

    static func reconnected(_ seq: Int, recovered: Bool, status: JobStatus = .processing) -> ServerMessage {
        .reconnected(
            seq: seq,
            ReconnectedPayload(
                status: status, counts: JobCounts(total: 1), lastUpdate: 0, message: "", recovered: recovered))
    }
}

extension JobEvent.Content {
    /// The end of a completed job with one book.
    static let done = JobEvent.Content.completed(
        JobSummary(status: .completed, progress: 1, processedCount: 1, totalCount: 1))
}
