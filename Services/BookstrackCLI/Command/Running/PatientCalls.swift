import ProgressClient

/// Makes calls that are the same however often they are made, and makes them again when the server is busy or an answer got lost.
struct PatientCalls {
    /// Longest `Retry-After` that is waited for, in seconds.
    private static let longestWait = 120
    /// Waits in one call before a busy server is given up.
    private static let waitLimit = 5
    /// Lost answers in one call before it is given up.
    private static let repeatLimit = 2

    /// Waits before the next try.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Throws what `call` threw last.
    func make<Answer>(_ output: ProgressOutput, _ call: () async throws -> Answer) async throws -> Answer {
        var (waits, repeats) = (0, 0)
        while true {
            do {
                return try await call()
            } catch let refusal as APIRefusal {
                guard let seconds = refusal.retryAfterSeconds, seconds <= Self.longestWait, waits < Self.waitLimit
                else { throw refusal }
                waits += 1
                output.note("The server is busy; trying again in \(seconds) s.")
                try await pause(.seconds(max(1, seconds)))
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
