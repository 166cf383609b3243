/// Wakes the loops of the claims, each of which has a pulse of its own.
struct ClaimPulses: Sendable {
    private let everything = Pulse()
    private let interactive = Pulse()

    /// Has an element whenever there may be room; for the one loop of that scope.
    func wakes(of scope: ClaimScope) -> AsyncStream<Void> {
        switch scope {
        case .everything: everything.wakes
        case .interactive: interactive.wakes
        }
    }

    func signal() {
        everything.signal()
        interactive.signal()
    }

    /// Ends the loops.
    func finish() {
        everything.finish()
        interactive.finish()
    }
}
