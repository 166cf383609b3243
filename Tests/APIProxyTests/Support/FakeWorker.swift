import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SuiteMethods

@testable import APIProxy

/// A scripted enrichment-worker on a real Unix socket, for searches.
final class FakeWorker: Sendable {
    let questions = Mailbox<SearchBooks.Parameters>()
    private let script: NIOLockedValueBox<Script>
    private let server: RPCServer

    private struct Script {
        /// What it answers; nil keeps the question waiting until there is something.
        var answer: Result<SearchAnswer, RPCApplicationError>?
        var waiting: [CheckedContinuation<Result<SearchAnswer, RPCApplicationError>, Never>] = []
    }

    /// Starts at the proxy's worker socket and waits until the proxy is connected.
    init(at proxy: RunningProxy, answering answer: Result<SearchAnswer, RPCApplicationError>?) async throws {
        let (questions, script) = (questions, NIOLockedValueBox(Script(answer: answer)))
        var router = RPCRouter()
        router.handleRaw(SearchBooks.name) { json, _ in
            questions.append(try BodyCoding.decode(SearchBooks.Parameters.self, from: json))
            let answer = await withCheckedContinuation { seat in
                let answer = script.withLockedValue { script in
                    if script.answer == nil { script.waiting.append(seat) }
                    return script.answer
                }
                if let answer { seat.resume(returning: answer) }
            }
            return try answer.get().raw()
        }
        self.script = script
        server = try await RPCServer.bind(
            path: SuiteSockets(directory: proxy.directory.path).path(of: .enrichmentWorker), router: router,
            allowedUIDs: [getuid()], group: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "fake-worker"))
        try await proxy.services.worker.waitUntilConnected(within: .seconds(60))
    }

    /// Changes the answer, and gives it to whoever waits.
    func answer(_ answer: Result<SearchAnswer, RPCApplicationError>) {
        let waiting = script.withLockedValue { script in
            script.answer = answer
            defer { script.waiting = [] }
            return script.waiting
        }
        for seat in waiting { seat.resume(returning: answer) }
    }

    func stop() async { await server.shutdown() }

    /// An answer with one book.
    static func found(
        age: Int? = nil, fresh: Int = 600, isStale: Bool = false, providers: [ProviderReport]? = nil
    ) throws -> SearchAnswer {
        let results = SearchResults(works: [WorkDTO(title: "Dune")], editions: [], authors: [], totalResults: 1)
        return SearchAnswer(
            head: .init(
                provider: "openlibrary", ageSeconds: age, freshSeconds: fresh, isStale: isStale, providers: providers),
            data: try BodyCoding.encode(results))
    }
}
