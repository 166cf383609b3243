import BookMetadata
import BookstrackContract
import NIOCore
import NIOPosix
import ProviderClient
import SuiteMethods
import Testing
@testable import EnrichmentWorker

@Suite("Questions to providers") struct QuestionSchedulerTests {
    @Test("questions that are withdrawn while their requests are being sent do not block later ones")
    func withdrawn() async throws {
        try await WorkerRig.run { rig in
            let other = MultiThreadedEventLoopGroup.singleton.any()
            for round in 0..<300 {
                let asked = try (0..<8).map { number in
                    let question = Question.works(
                        try #require(TitleTerms(title: "Book \(round) \(number)", author: nil)))
                    return Task { try await Self.ask(question, at: rig) }
                }
                try await other.submit {
                    // The first tasks are already running.
                    for task in asked { task.cancel() }
                }.get()
                for task in asked { _ = await task.result }
            }
            #expect(rig.worker.scheduler.waiting == 0)
            let dune = Question.works(try #require(TitleTerms(title: "Dune", author: nil)))
            #expect(try await !Self.ask(dune, at: rig).records.isEmpty)
        }
    }

    @Test("a task that has been cancelled asks no provider")
    func cancelled() async throws {
        try await WorkerRig.run { rig in
            let emma = Question.works(try #require(TitleTerms(title: "Emma", author: nil)))
            let asked = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await Self.ask(emma, at: rig)
            }
            await #expect(throws: QuestionFailure.withdrawn) { try await asked.value }
            // A later call ends after the one that the cancelled task would have begun.
            let dune = Question.works(try #require(TitleTerms(title: "Dune", author: nil)))
            _ = try await Self.ask(dune, at: rig)
            let openLibrary = try #require(rig.worker.status.providers.first { $0.name == "openlibrary" })
            #expect(openLibrary.snapshot.calls == [.ok: 1])
        }
    }

    /// Asks a question that is known not to be in the cache.
    private static func ask(_ question: Question, at rig: WorkerRig) async throws -> QuestionAnswer {
        var cached = CachedAnswers()
        cached.note(nil, to: question)
        let asker = Asker(party: .search(1, client: nil), workClass: .interactive, isAlone: true, cached: cached)
        return try await rig.worker.scheduler.ask(
            question, for: asker, deadline: rig.clock.now.advanced(by: .seconds(30)))
    }
}
