import BookstrackClient
import BookstrackContract

/// Makes idempotent calls, and repeats them when the server asks for a retry or a response is lost.
struct RetryingCalls {
    /// Maximum waiting time per call, in seconds: longer than a hung service takes to restart, and longer than the
    /// window of a per-minute limit.
    private static let maxWait = 120
    /// Maximum number of times that a call is repeated because its response was lost or did not arrive in time.
    private static let repeatLimit = 2

    /// Waits before the next attempt.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Makes a call, and repeats it within limits if the server asks for a retry or the response is lost. Throws the last error of `call`, or the
    /// error of ``pause``.
    func make<Answer>(_ output: ProgressOutput, _ call: () async throws -> Answer) async throws -> Answer {
        var (waited, repeats) = (0, 0)
        var printed: String?
        while true {
            do {
                return try await call()
            } catch let refusal as BookstrackError where refusal.isRefusal {
                // If no engine can read photos, waiting for two minutes rarely helps.
                guard let asked = refusal.retryAfterSeconds, refusal.serverCode != .scannerUnavailable else {
                    throw refusal
                }
                let seconds = max(1, asked)
                guard waited + seconds <= Self.maxWait else { throw refusal }
                if printed != refusal.obstacle {
                    output.note(Self.notice(refusal, seconds: seconds, rest: Self.maxWait - waited))
                    printed = refusal.obstacle
                }
                waited += seconds
                try await pause(.seconds(seconds))
            } catch let failure as BookstrackError where failure.mayHaveArrived {
                guard repeats < Self.repeatLimit else { throw failure }
                repeats += 1
                output.note("\(failure.message); trying again.")
                try await pause(.seconds(1))
            }
        }
    }

    /// The obstacle and the next step: an exhausted limit ends at a known time; everything else is simply retried.
    static func notice(_ refusal: BookstrackError, seconds: Int, rest: Int) -> String {
        let obstacle = refusal.obstacle
        // The name of a service keeps its case.
        let startsWithService = refusal.details["service"] != nil
        let start = startsWithService ? obstacle : obstacle.prefix(1).uppercased() + obstacle.dropFirst()
        let plan = refusal.reason == .limited ? "in \(seconds) s" : "for up to \(rest) s"
        return "\(start); trying again \(plan)."
    }
}
