import NIOConcurrencyHelpers

/// Keeps what is put in until somebody takes it, in order.
final class Mailbox<Letter: Sendable>: Sendable {
    private struct State {
        var letters: [Letter] = []
        var waiting: [CheckedContinuation<Letter, Never>] = []
    }

    private let state = NIOLockedValueBox(State())

    func put(_ letter: Letter) {
        let reader = state.withLockedValue { state -> CheckedContinuation<Letter, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.letters.append(letter)
            return nil
        }
        reader?.resume(returning: letter)
    }

    /// The next letter, however long it takes to come.
    func take() async -> Letter {
        await withCheckedContinuation { reader in
            let letter = state.withLockedValue { state -> Letter? in
                if state.letters.isEmpty {
                    state.waiting.append(reader)
                    return nil
                }
                return state.letters.removeFirst()
            }
            if let letter { reader.resume(returning: letter) }
        }
    }

    var count: Int { state.withLockedValue { $0.letters.count } }
}
