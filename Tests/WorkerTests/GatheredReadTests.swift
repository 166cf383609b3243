import BookIdentifiers
import BookMetadata
import NIOConcurrencyHelpers
import Testing
import TestSupport

@testable import EnrichmentWorker

/// A database whose reads last until the test ends them.
private final class HeldReads: Sendable {
    private struct State {
        var reads: [[Question]] = []
        var ends: [CheckedContinuation<CachedAnswers?, Never>] = []
        var watchers: [(count: Int, reached: CheckedContinuation<Void, Never>)] = []
    }

    private let state = NIOLockedValueBox(State())

    /// The questions of each read so far.
    var reads: [[Question]] { state.withLockedValue { $0.reads } }

    func read(_ questions: [Question]) async -> CachedAnswers? {
        await withCheckedContinuation { end in
            let reached = state.withLockedValue { state in
                state.reads.append(questions)
                state.ends.append(end)
                defer { state.watchers.removeAll { $0.count <= state.reads.count } }
                return state.watchers.filter { $0.count <= state.reads.count }
            }
            for watcher in reached { watcher.reached.resume() }
        }
    }

    /// Returns when `count` reads have begun.
    func begun(_ count: Int) async {
        await withCheckedContinuation { reached in
            let isReached = state.withLockedValue { state in
                guard state.reads.count < count else { return true }
                state.watchers.append((count, reached))
                return false
            }
            if isReached { reached.resume() }
        }
    }

    /// Ends the oldest read in progress: it finds no answers to its questions or, if `fails` is true, it fails.
    func end(fails: Bool = false) {
        let (questions, end) = state.withLockedValue { state in
            (state.reads[state.reads.count - state.ends.count], state.ends.removeFirst())
        }
        var answers = CachedAnswers()
        for question in questions { answers.note(nil, to: question) }
        end.resume(returning: fails ? nil : answers)
    }
}

@Suite("Gathered cache reads", .timeLimit(.minutes(1)))
struct GatheredReadTests {
    private let gathered = GatheredReads()
    private let held = HeldReads()

    private func questions(_ range: Range<Int>) -> [Question] {
        EmulatedProviders.isbns(range).compactMap { ISBN($0).map { .edition($0) } }
    }

    /// Asks in a new task, and returns when the questions are waiting or being read.
    private func ask(_ questions: [Question]) async throws -> Task<CachedAnswers?, Never> {
        let waiting = gathered.waiting + held.reads.count
        let task = Task { await gathered.answers(to: questions) { await held.read($0) } }
        try await until { gathered.waiting + held.reads.count != waiting }
        return task
    }

    /// The first two callers, each with a read of its own that is in progress.
    private func firstTwo() async throws -> [Task<CachedAnswers?, Never>] {
        var callers: [Task<CachedAnswers?, Never>] = []
        for number in 0..<2 {
            callers.append(try await ask(questions(number..<number + 1)))
            await held.begun(number + 1)
        }
        return callers
    }

    @Test("the first two callers are served immediately, and the next read serves all callers that have asked since")
    func gathering() async throws {
        var callers = try await firstTwo()
        for number in 2..<6 { callers.append(try await ask(questions(number..<number + 1))) }
        held.end()
        await held.begun(3)
        #expect(held.reads == [questions(0..<1), questions(1..<2), questions(2..<6)])
        held.end()
        held.end()
        for caller in callers { #expect(await caller.value != nil) }
    }

    @Test("a read covers at most 256 questions, unless a single caller asks more")
    func limit() async throws {
        var callers = try await firstTwo()
        for range in [2..<202, 202..<252, 252..<352, 352..<752] { callers.append(try await ask(questions(range))) }
        for count in 3...5 {
            held.end()
            await held.begun(count)
        }
        #expect(held.reads.dropFirst(2).map(\.count) == [250, 100, 400])
        for _ in 0..<2 { held.end() }
        for caller in callers { #expect(await caller.value != nil) }
    }

    @Test("each caller receives only the answers to its own questions")
    func separation() async throws {
        var callers = try await firstTwo()
        for number in 2..<4 { callers.append(try await ask(questions(number..<number + 1))) }
        held.end()
        await held.begun(3)
        for _ in 0..<2 { held.end() }
        for (number, caller) in callers.enumerated() {
            let answers = await caller.value
            let covered = questions(0..<4).map { answers?.covers($0) }
            #expect(covered == (0..<4).map { $0 == number })
        }
    }

    @Test("a failed read returns nil to each of its callers and does not affect the next read")
    func failure() async throws {
        let busy = try await firstTwo()
        let together = [try await ask(questions(2..<3)), try await ask(questions(3..<4))]
        held.end()
        await held.begun(3)
        held.end()
        held.end(fails: true)
        for caller in busy { #expect(await caller.value != nil) }
        for caller in together { #expect(await caller.value == nil) }
        let next = try await ask(questions(4..<5))
        await held.begun(4)
        held.end()
        #expect(await next.value != nil)
    }
}
