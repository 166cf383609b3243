import NIOConcurrencyHelpers
package import NIOCore

/// The parts of a process that must make progress for it to be alive, each with a question that only a part at work answers.
///
/// A timer of its own would go on beating while the real work hangs; here the hanging part withholds the answer, and with it the beat.
package final class Liveness: Sendable {
    private let questions = NIOLockedValueBox<[@Sendable () async -> Void]>([])

    /// Of no parts yet.
    package init() {}

    /// Adds a part. `answer` returns as soon as the part has done a turn of its work, and also once the part has ended as intended.
    package func watch(_ answer: @escaping @Sendable () async -> Void) {
        questions.withLockedValue { $0.append(answer) }
    }

    /// Adds every event loop of `group`.
    package func watch(_ group: any EventLoopGroup) {
        for eventLoop in group.makeIterator() {
            watch { _ = try? await eventLoop.submit {}.get() }
        }
    }

    /// Returns when every part has answered.
    package func proof() async {
        for question in questions.withLockedValue({ $0 }) { await question() }
    }
}
