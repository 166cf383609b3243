import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Observability
import SuiteMethods
import TestSupport

@testable import APIProxy

/// A scripted enrichment-worker for searches and for operators' requests, on a real Unix socket.
final class FakeWorker: Sendable {
    let questions = Inbox<SearchBooks.Parameters>()
    /// Searches that were abandoned before they were answered.
    let abandoned = Inbox<SearchBooks.Parameters>()
    /// Operator actions on providers.
    let operated = Inbox<OperateProvider.Parameters>()
    private let script: NIOLockedValueBox<Script>
    private let server: RPCServer
    private let connections: NIOLockedValueBox<[RPCConnection]>

    private struct Script {
        /// The response; while it is nil, searches wait.
        var answer: Result<SearchAnswer, RPCApplicationError>?
        var waiting: [CheckedContinuation<Result<SearchAnswer, RPCApplicationError>, Never>] = []
        /// What health checks report about the engines that read photos.
        var photos: PhotoReadiness?
    }

    /// What happens to the reply after an operator action has been carried out.
    enum ActionReply { case sent, lostWithConnection, withheld }

    /// Listens on a worker's socket and waits until the proxy is connected.
    init(
        at proxy: RunningProxy, named name: WorkerName = .main,
        answering answer: Result<SearchAnswer, RPCApplicationError>? = nil, photos: PhotoReadiness? = nil,
        actionReply: ActionReply = .sent
    ) async throws {
        let (questions, abandoned, operated) = (questions, abandoned, operated)
        let connections = NIOLockedValueBox<[RPCConnection]>([])
        let script = NIOLockedValueBox(Script(answer: answer, photos: photos))
        var router = RPCRouter()
        router.handleRaw(SearchBooks.name) { json, _ in
            let question = try BodyCoding.decode(SearchBooks.Parameters.self, from: json)
            questions.append(question)
            let answer = await withTaskCancellationHandler {
                await withCheckedContinuation { seat in
                    let answer = script.withLockedValue { script in
                        if script.answer == nil { script.waiting.append(seat) }
                        return script.answer
                    }
                    if let answer { seat.resume(returning: answer) }
                }
            } onCancel: {
                abandoned.append(question)
            }
            return try answer.get().raw()
        }
        router.handle(OperateProvider.self) { parameters, _ in
            guard parameters.provider == "isbndb" else {
                throw RPCApplicationError(code: "NOT_FOUND", message: "there is no provider \(parameters.provider)")
            }
            operated.append(parameters)
            switch actionReply {
            case .sent: break
            case .lostWithConnection: for connection in connections.withLockedValue({ $0 }) { connection.close() }
            case .withheld: try await Task.sleep(for: .seconds(3_600))
            }
            return OperateProvider.Result(outcome: "Done")
        }
        router.handle(ReadFailingISBNs.self) { parameters, _ in
            ReadFailingISBNs.Result(isbns: [], total: parameters.limit)
        }
        router.handle(HealthCheck.self) { _, _ in
            var health = HealthCheck.Result(
                service: .enrichmentWorker, version: "0", readiness: ReadinessReport(status: .ready))
            health.photos = script.withLockedValue(\.photos)
            return health
        }
        router.handle(ReadMetrics.self) { _, _ in
            ReadMetrics.Result(
                service: .enrichmentWorker,
                families: [MetricFamily(.gauge, "bookstrack_outbox_outcomes", help: "Outcomes.", value: 3)])
        }
        self.connections = connections
        self.script = script
        server = try await RPCServer.bind(
            path: SuiteSockets(directory: proxy.directory.path).path(of: .worker(name)), router: router,
            allowedUIDs: [getuid()], group: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "fake-worker"),
            onConnect: { connection in connections.withLockedValue { $0.append(connection) } })
        try await proxy.connect(to: .worker(name))
    }

    /// Changes the response, and sends it to waiting callers.
    func answer(_ answer: Result<SearchAnswer, RPCApplicationError>) {
        let waiting = script.withLockedValue { script in
            script.answer = answer
            defer { script.waiting = [] }
            return script.waiting
        }
        for seat in waiting { seat.resume(returning: answer) }
    }

    /// Changes what health checks report about the engines that read photos.
    func report(photos: PhotoReadiness) { script.withLockedValue { $0.photos = photos } }

    /// Closes its connections, like a killed process.
    func drop() {
        for connection in connections.withLockedValue({ $0 }) { connection.close() }
    }

    func stop() async { await server.shutdown() }

    /// Starts a proxy with one worker, passes both to `body`, and stops them. While `answer` is nil, searches wait.
    static func run(
        _ answer: Result<SearchAnswer, RPCApplicationError>?, _ change: (inout ProxySettings) -> Void = { _ in },
        _ body: (RunningProxy, FakeWorker) async throws -> Void
    ) async throws {
        try await RunningProxy.run(change) { proxy in
            let worker = try await FakeWorker(at: proxy, answering: answer)
            try await body(proxy, worker)
            await worker.stop()
        }
    }

    /// The path of a search for one book.
    static let search = "/v1/search/isbn?isbn=9780441172719"

    /// A response with one book.
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
