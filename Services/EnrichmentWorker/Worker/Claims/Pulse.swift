import SuiteMethods

/// Wakes one loop; signals that come while it works are remembered as one.
struct Pulse: Sendable {
    private let continuation: AsyncStream<Void>.Continuation
    /// Has an element per wake; for one reader.
    let wakes: AsyncStream<Void>

    init() { (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func signal() { continuation.yield() }

    /// Ends the loop.
    func finish() { continuation.finish() }
}

/// Wakes the loops of the claims, each of which has a pulse of its own.
struct ClaimPulses: Sendable {
    private let pulses = ClaimWork.Scope.allCases.map { (scope: $0, pulse: Pulse()) }

    /// Has an element whenever there may be room; for the one loop of that scope.
    func wakes(of scope: ClaimWork.Scope) -> AsyncStream<Void> {
        pulses.first { $0.scope == scope }?.pulse.wakes ?? AsyncStream { nil }
    }

    func signal() { for (_, pulse) in pulses { pulse.signal() } }

    /// Ends the loops.
    func finish() { for (_, pulse) in pulses { pulse.finish() } }
}
