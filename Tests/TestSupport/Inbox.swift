import NIOConcurrencyHelpers

/// Collects elements, in order, and lets a test wait for an expected one.
package final class Inbox<Element: Sendable>: Sendable {
    package struct TimedOut: Error, CustomStringConvertible {
        package var description: String
    }

    private struct Waiter {
        var id: Int
        var matches: @Sendable (Element) -> Bool
        var continuation: CheckedContinuation<Element, any Error>
    }

    private struct State {
        var elements: [Element] = []
        var waiters: [Waiter] = []
        var lastWaiter = 0
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// The elements that have not been taken yet.
    package var elements: [Element] { state.withLockedValue(\.elements) }

    package func append(_ element: Element) {
        let waiter = state.withLockedValue { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.matches(element) }) else {
                state.elements.append(element)
                return nil
            }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: element)
    }

    /// Takes the first element that matches, and waits at most `limit` for it to arrive.
    package func take(
        within limit: Duration = .seconds(50), where matches: @escaping @Sendable (Element) -> Bool = { _ in true }
    ) async throws -> Element {
        let id = state.withLockedValue { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            self.giveUp(id)
        }
        defer { timer.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            let found = state.withLockedValue { state -> Element? in
                guard let index = state.elements.firstIndex(where: matches) else {
                    state.waiters.append(Waiter(id: id, matches: matches, continuation: continuation))
                    return nil
                }
                return state.elements.remove(at: index)
            }
            if let found { continuation.resume(returning: found) }
        }
    }

    /// Takes the next `count` elements, and waits for those that have not arrived yet.
    package func take(_ count: Int) async throws -> [Element] {
        var taken: [Element] = []
        while taken.count < count { taken.append(try await take()) }
        return taken
    }

    private func giveUp(_ id: Int) {
        let (waiter, rest) = state.withLockedValue { state -> (Waiter?, [Element]) in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return (nil, []) }
            return (state.waiters.remove(at: index), state.elements)
        }
        waiter?.continuation.resume(throwing: TimedOut(description: "nothing matched; received: \(rest)"))
    }
}
