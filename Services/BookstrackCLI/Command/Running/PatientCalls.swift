import ProgressClient

/// Makes calls that are the same however often they are made, and makes them again when the server is busy or an answer got lost.
struct PatientCalls {
    /// How long a busy server is waited for in one call, in seconds: longer than a service that hangs takes to be started again.
    private static let longestWait = 120
    /// Lost answers in one call before it is given up.
    private static let repeatLimit = 2

    /// Waits before the next try.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Throws what `call` threw last.
    func make<Answer>(_ output: ProgressOutput, _ call: () async throws -> Answer) async throws -> Answer {
        var (waited, repeats) = (0, 0)
        while true {
            do {
                return try await call()
            } catch let refusal as APIRefusal {
                guard let asked = refusal.retryAfterSeconds else { throw refusal }
                let seconds = max(1, asked)
                guard waited + seconds <= Self.longestWait else { throw refusal }
                waited += seconds
                output.note("The server is busy; trying again in \(seconds) s.")
                try await pause(.seconds(seconds))
            } catch let failure as ClientFailure where failure.mayHaveArrived {
                guard repeats < Self.repeatLimit else { throw failure }
                repeats += 1
                output.note("\(failure); trying again.")
                try await pause(.seconds(1))
            }
        }
    }
}

extension ClientFailure {
    /// Whether the server may have done what was asked, and only its answer is missing.
    var mayHaveArrived: Bool { self == .closedEarly || self == .timedOut }
}
