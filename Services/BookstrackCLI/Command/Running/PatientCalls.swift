import ProgressClient

/// Makes calls that are the same however often they are made, and makes them again when the server asks for it or an answer got lost.
struct PatientCalls {
    /// How long the server is waited for in one call, in seconds: longer than a service that hangs takes to be started again, and than a
    /// limit per minute takes to give way.
    private static let longestWait = 120
    /// Lost answers in one call before it is given up.
    private static let repeatLimit = 2

    /// Waits before the next try.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Throws what `call` threw last.
    func make<Answer>(_ output: ProgressOutput, _ call: () async throws -> Answer) async throws -> Answer {
        var (waited, repeats) = (0, 0)
        var told: String?
        while true {
            do {
                return try await call()
            } catch let refusal as APIRefusal {
                guard let asked = refusal.retryAfterSeconds else { throw refusal }
                let seconds = max(1, asked)
                guard waited + seconds <= Self.longestWait else { throw refusal }
                if told != refusal.obstacle {
                    output.note(Self.notice(refusal, seconds: seconds, rest: Self.longestWait - waited))
                    told = refusal.obstacle
                }
                waited += seconds
                try await pause(.seconds(seconds))
            } catch let failure as ClientFailure where failure.mayHaveArrived {
                guard repeats < Self.repeatLimit else { throw failure }
                repeats += 1
                output.note("\(failure); trying again.")
                try await pause(.seconds(1))
            }
        }
    }

    /// What stands in the way, and what is done about it: a limit ends at a known time, everything else is tried again and again.
    static func notice(_ refusal: APIRefusal, seconds: Int, rest: Int) -> String {
        let obstacle = refusal.obstacle
        // The name of a service is written as it is.
        let start = refusal.service == nil ? obstacle.prefix(1).uppercased() + obstacle.dropFirst() : obstacle
        let plan = refusal.reason == .limited ? "in \(seconds) s" : "for up to \(rest) s"
        return "\(start); trying again \(plan)."
    }
}

extension ClientFailure {
    /// Whether the server may have done what was asked, and only its answer is missing.
    var mayHaveArrived: Bool { self == .closedEarly || self == .timedOut }
}
