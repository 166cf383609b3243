import BookstrackContract
import NIOConcurrencyHelpers
import NIOCore

/// Pairs the moment an update was sent with the moment its frame arrived.
final class Receipts: Sendable {
    private struct Update: Hashable {
        var job: JobID
        var processed: Int
    }

    private struct State {
        var sent: [Update: NIODeadline] = [:]
        var latencies = Latencies()
    }

    private let state = NIOLockedValueBox(State())

    var latencies: Latencies { state.withLockedValue { $0.latencies } }

    func noteSent(_ job: JobID, processed: Int, at time: NIODeadline) {
        state.withLockedValue { $0.sent[Update(job: job, processed: processed)] = time }
    }

    func note(_ job: JobID, processed: Int, at time: NIODeadline) {
        state.withLockedValue { state in
            guard let sent = state.sent.removeValue(forKey: Update(job: job, processed: processed)) else { return }
            state.latencies.record(.nanoseconds((time - sent).nanoseconds))
        }
    }
}
