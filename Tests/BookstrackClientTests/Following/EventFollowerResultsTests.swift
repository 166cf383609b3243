import BookstrackContract
import Foundation
import Testing

@testable import BookstrackClient

@Suite("Decisions while following a job: improved results")
struct EventFollowerResultsTests {
    private static let job = JobID.random()

    /// Improved results as announced by the server or, if `improved` is nil, as found in the job's state.
    private func update(_ revision: Int, improved: Int? = 1) -> ResultsUpdate {
        ResultsUpdate(
            jobID: Self.job, date: Date(timeIntervalSince1970: 0), resultsRevision: revision, improved: improved,
            message: "")
    }

    @Test(
        "a client that follows the results receives each revision once, even one made while the connection was broken"
    )
    func results() {
        var follower = EventFollower.make(from: .after(4), followsResults: true)
        #expect(follower.attempt().followsResults)
        #expect(follower.take(.event(5, .done), at: .zero).seq == 5)
        #expect(follower.take(update(1, improved: nil)) == nil)
        #expect(follower.take(.resultsUpdated(update(2)), at: .zero).seq == 5)
        #expect(follower.take(.resultsUpdated(update(2)), at: .zero) == .ignore)
        #expect(follower.lost(.closed(code: 1_006)).pause != nil)
        #expect(follower.attempt().since == 5)
        #expect(follower.take(.event(5, .done), at: .zero) == .ignore)
        #expect(follower.take(update(4, improved: nil))?.content == .resultsUpdated(update(4, improved: nil)))
        #expect(follower.lost(.closed(code: 1_000)) == .finish)
    }

    @Test("an update that the final state already includes is still reported")
    func earlyResults() {
        var follower = EventFollower.make(followsResults: true)
        _ = follower.attempt()
        _ = follower.take(.event(1, .done), at: .zero)
        #expect(follower.take(update(2, improved: nil)) == nil)
        #expect(follower.take(.resultsUpdated(update(2)), at: .zero).seq == 1)
        #expect(follower.take(update(2, improved: nil)) == nil)
    }

    @Test("an update missed after one that was received is reported, even if the state at the end was never read")
    func unknownEnd() {
        var follower = EventFollower.make(followsResults: true)
        _ = follower.attempt()
        _ = follower.take(.event(1, .done), at: .zero)
        #expect(follower.take(.resultsUpdated(update(2)), at: .zero).seq == 1)
        _ = follower.lost(.closed(code: 1_006))
        _ = follower.attempt()
        #expect(follower.take(update(3, improved: nil)) != nil)
    }

    @Test(
        "a client that continues after an event follows the results if that event was the last and not a cancellation"
    )
    func laterResults() {
        let cases = [
            (5, JobStatus.completed, true), (5, .failed, true), (5, .cancelled, false), (6, .completed, false),
        ]
        for (lastSeq, status, isExpected) in cases {
            var follower = EventFollower.make(from: .after(5), followsResults: true)
            _ = follower.attempt()
            let reception = follower.take(.reconnected(5, recovered: true, status: status), at: .zero)
            #expect(reception == .compareResults)
            var state = JobState(jobId: Self.job, pipeline: .batchEnrichment, totalCount: 1, createdAt: "")
            (state.status, state.lastSeq, state.resultsRevision) = (status, lastSeq, 2)
            #expect(follower.take(state, at: Date(timeIntervalSince1970: 0)) == nil)
            #expect(follower.awaitsResults == isExpected, "\(status) at \(lastSeq)")
        }
    }

    @Test("following improved results ends when the server closes the event stream without a reconnection time")
    func resultsStream() {
        var follower = EventFollower.make(followsResults: true) { $0.transports = [.eventStream] }
        _ = follower.attempt()
        _ = follower.take(.event(1, .done), at: .zero)
        #expect(follower.lost(.ended(retry: .seconds(1))).pause != nil)
        _ = follower.attempt()
        #expect(follower.lost(.ended(retry: nil)) == .finish)
    }

    @Test("improved results are not expected for cancelled jobs, when polling, or by clients that do not follow them")
    func noResults() {
        var cancelled = EventFollower.make(followsResults: true)
        _ = cancelled.attempt()
        #expect(cancelled.take(.event(1, .cancelled), at: .zero).seq == 1)
        #expect(!cancelled.awaitsResults)
        var polling = EventFollower.make(followsResults: true) { $0.transports = [.polling] }
        _ = polling.attempt()
        _ = polling.take(.event(1, .done), at: .zero)
        #expect(!polling.awaitsResults)
        var other = EventFollower.make()
        _ = other.attempt()
        #expect(other.take(.resultsUpdated(update(2)), at: .zero) == .ignore)
    }
}
