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
    /// What it answers; nil keeps the question waiting until there is something.
    private let script: NIOLockedValueBox<Result<SearchAnswer, RPCApplicationError>?>
    private let waiting = NIOLockedValueBox<[CheckedContinuation<Void, Never>]>([])
    private let server: RPCServer

    /// Starts at the proxy's worker socket and waits until the proxy is connected.
    init(at proxy: RunningProxy, answering answer: Result<SearchAnswer, RPCApplicationError>?) async throws {
        let (questions, script, waiting) = (questions, NIOLockedValueBox(answer), waiting)
        var router = RPCRouter()
        router.handleRaw(SearchBooks.name) { json, _ in
            questions.append(try BodyCoding.decode(SearchBooks.Parameters.self, from: json))
            if script.withLockedValue({ $0 == nil }) {
                await withCheckedContinuation { seat in waiting.withLockedValue { $0.append(seat) } }
            }
            guard let answer = script.withLockedValue({ $0 }) else { throw CancellationError() }
            return try answer.get().raw()
        }
        self.script = script
        server = try await RPCServer.bind(
            path: SuiteSockets(directory: proxy.directory.path).path(of: .enrichmentWorker), router: router,
            allowedUIDs: [getuid()], group: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "fake-worker"))
        try await proxy.services.worker.waitUntilConnected(within: .seconds(10))
    }

    /// Changes the answer, and gives it to whoever waits.
    func answer(_ answer: Result<SearchAnswer, RPCApplicationError>) {
        script.withLockedValue { $0 = answer }
        for seat in waiting.withLockedValue({ $0 }) { seat.resume() }
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
