import BookMetadata
import NIOConcurrencyHelpers
import Observability

/// Combines reads of the cache. Questions that arrive while the maximum number of reads is in progress wait and are then read together. Many items
/// have only a few questions each, and every read costs two thread switches.
final class GatheredReads: Sendable {
    private struct State: Sendable {
        var waiting: [Caller] = []
        /// Number of reads in progress.
        var reads = 0
    }

    private struct Caller: Sendable {
        let questions: [Question]
        let answered: CheckedContinuation<CachedAnswers?, Never>
    }

    /// Maximum number of simultaneous reads. With two, a search does not have to wait while one of them serves a whole claim.
    private static let maxReads = 2
    /// Maximum number of questions in one read, unless one caller has more.
    private static let maxQuestions = 256

    private let state = NIOLockedValueBox(State())

    /// Number of callers that are waiting for the next read.
    var waiting: Int { state.withLockedValue { $0.waiting.count } }

    /// The cached answers to these questions; nil if the cache cannot be read.
    ///
    /// - Parameter read: Reads the answers to the questions of one or more callers.
    func answers(
        to questions: [Question], read: @escaping @Sendable ([Question]) async -> CachedAnswers?
    ) async -> CachedAnswers? {
        await withCheckedContinuation { continuation in
            let startsRead = state.withLockedValue { state in
                state.waiting.append(Caller(questions: questions, answered: continuation))
                guard state.reads < Self.maxReads else { return false }
                state.reads += 1
                return true
            }
            // A read serves many items, so its log lines do not belong to any single one.
            if startsRead { Activity.$current.withValue(nil) { _ = Task { await self.readAll(read) } } }
        }
    }

    private func readAll(_ read: @Sendable ([Question]) async -> CachedAnswers?) async {
        while let callers = takeWaiting() {
            let answers = await read(callers.flatMap(\.questions))
            for caller in callers { caller.answered.resume(returning: answers?.only(caller.questions)) }
        }
    }

    /// Takes the callers for the next read. Returns nil, which ends this task's reads, if no caller is waiting.
    private func takeWaiting() -> [Caller]? {
        state.withLockedValue { state in
            var questions = 0
            let count = state.waiting.prefix { caller in
                defer { questions += caller.questions.count }
                return questions == 0 || questions + caller.questions.count <= Self.maxQuestions
            }.count
            guard count > 0 else {
                state.reads -= 1
                return nil
            }
            defer { state.waiting.removeFirst(count) }
            return Array(state.waiting.prefix(count))
        }
    }
}
