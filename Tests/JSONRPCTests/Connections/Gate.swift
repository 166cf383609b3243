import NIOConcurrencyHelpers

/// Holds handlers until the test opens it, and counts who came.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = NIOLockedValueBox(State())

    var arrived: Int { state.withLockedValue { $0.arrived } }

    /// A handler comes and waits.
    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, watchers) = state.withLockedValue { state in
                state.arrived += 1
                if !state.isOpen { state.held.append(continuation) }
                let (ready, waiting) = (
                    state.watchers.filter { $0.count <= state.arrived },
                    state.watchers.filter { $0.count > state.arrived }
                )
                state.watchers = waiting
                return (state.isOpen, ready.map(\.continuation))
            }
            if isOpen { continuation.resume() }
            for watcher in watchers { watcher.resume() }
        }
    }

    /// Lets the longest waiting one go.
    func releaseOne() {
        state.withLockedValue { $0.held.isEmpty ? nil : $0.held.removeFirst() }?.resume()
    }

    /// Lets all go, now and later.
    func open() {
        let held = state.withLockedValue { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Waits until so many have come in all.
    func waitForArrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLockedValue { state in
                guard state.arrived < count else { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
