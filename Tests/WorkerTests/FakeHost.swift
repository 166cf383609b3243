import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SuiteMethods

/// A scripted progress-host on a real Unix socket: hands out given items, and keeps recorded outcomes.
final class FakeHost: Sendable {
    struct Delivery: Sendable {
        let outcome: ItemOutcome
        /// Empty for a spine of a scan, whose row is ``scanned``.
        let row: EnrichedBook
        let scanned: ScannedBook?
    }

    /// A test that waits until `isDone` is true.
    private struct Watcher: Sendable {
        let isDone: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        var waiting: [ClaimedItem] = []
        var claims: [(parameters: ClaimWork.Parameters, reply: RPCReply<ClaimWork.Result>)] = []
        var connections: [RPCConnection] = []
        var deliveries: [Delivery] = []
        var refusals = 0
        var attached: [[ItemKey]] = []
        var released: [ItemKey] = []
        var unwanted: Set<ItemKey> = []
        var created: [CreateJob.Parameters] = []
        var webhooks: [RecordWebhook.Parameters] = []
        var watchers: [UUID: Watcher] = [:]

        /// The scope of the item that was handed out last.
        var lastScope = ClaimWork.Scope.firstLookups

        /// The index of the newest open claim of a scope; interactive claims are never answered.
        func openClaim(_ scope: ClaimWork.Scope) -> Int? { claims.lastIndex { $0.parameters.scope == scope } }
    }

    /// Hands out library files and photos, and keeps the worker's calls about them.
    let imports = FakeImports()
    let path: String
    private let state = NIOLockedValueBox(State())
    private let server = NIOLockedValueBox(RPCServer?.none)

    init(path: String) { self.path = path }

    var deliveries: [Delivery] { state.withLockedValue { $0.deliveries } }
    var attached: [[ItemKey]] { state.withLockedValue { $0.attached } }
    var released: [ItemKey] { state.withLockedValue { $0.released } }
    /// The recorded outcomes of webhooks.
    var webhooks: [RecordWebhook.Parameters] { state.withLockedValue { $0.webhooks } }
    var created: [CreateJob.Parameters] { state.withLockedValue { $0.created } }

    /// Whether the worker is waiting for items of a scope.
    func isClaimed(_ scope: ClaimWork.Scope) -> Bool { state.withLockedValue { $0.openClaim(scope) != nil } }

    func start() async throws {
        let bound = try await RPCServer.bind(
            path: path, router: router(), allowedUIDs: [getuid()], group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "fake-host") { _ in SwiftLogNoOpLogHandler() },
            onConnect: { connection in self.change { $0.connections.append(connection) } },
            onDisconnect: { connection in
                self.change { state in
                    state.connections.removeAll { $0.id == connection.id }
                    state.claims = []
                }
            })
        server.withLockedValue { $0 = bound }
    }

    func stop() async { await server.withLockedValue { $0 }?.shutdown() }

    func hand(_ items: [ClaimedItem]) {
        change { $0.waiting += items }
        serve()
    }

    /// Refuses the next `count` recordings with `SERVICE_UNAVAILABLE`.
    func refuse(_ count: Int) { change { $0.refusals = count } }

    /// From now on, reports these items as no longer wanted if a worker that attaches holds them.
    func forget(_ keys: [ItemKey]) { change { $0.unwanted = Set(keys) } }

    func withdraw(_ jobs: [JobID]) {
        for connection in state.withLockedValue({ $0.connections }) {
            connection.notify(WorkWithdrawn.self, .init(jobs: jobs))
        }
    }

    /// Returns once workers have attached this many times.
    func attached(_ count: Int) async { await until { $0.attached.count >= count } }

    /// Returns once this many outcomes have been delivered.
    func delivered(_ count: Int) async -> [Delivery] {
        await until { $0.deliveries.count >= count }
        return deliveries
    }

    /// Returns once this many items have been released.
    func released(_ count: Int) async -> [ItemKey] {
        await until { $0.released.count >= count }
        return released
    }

    /// Returns once an outcome that satisfies `condition` has been delivered.
    func delivered(_ condition: @escaping @Sendable (Delivery) -> Bool) async -> [Delivery] {
        await until { $0.deliveries.contains(where: condition) }
        return deliveries
    }

    /// Returns once all items have been handed out and the worker has claimed again, after starting on them.
    func claimed() async { await until { $0.waiting.isEmpty && $0.openClaim($0.lastScope) != nil } }

    /// Returns once `isDone` is true, or when the test's time limit is reached.
    private func until(_ isDone: @escaping @Sendable (State) -> Bool) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { $0.watchers[id] = Watcher(isDone: isDone, continuation: continuation) }
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    private func giveUp(_ id: UUID) {
        state.withLockedValue { $0.watchers.removeValue(forKey: id) }?.continuation.resume()
    }

    private func change(_ body: (inout State) -> Void) {
        let done = state.withLockedValue { state in
            body(&state)
            let current = state
            let done = current.watchers.filter { $0.value.isDone(current) }
            for id in done.keys { state.watchers[id] = nil }
            return done.values.map(\.continuation)
        }
        for continuation in done { continuation.resume() }
    }

    private func serve() {
        let answer = state.withLockedValue { state -> (RPCReply<ClaimWork.Result>, [ClaimedItem])? in
            guard let scope = state.waiting.first?.scope, let open = state.openClaim(scope) else { return nil }
            let claim = state.claims.remove(at: open)
            let items = state.waiting.prefix { $0.scope == scope }.prefix(claim.parameters.limit)
            state.waiting.removeFirst(items.count)
            state.lastScope = scope
            return (claim.reply, Array(items))
        }
        if let (reply, items) = answer { reply.succeed(.init(items: items)) }
    }

    private func router() -> RPCRouter {
        var router = RPCRouter()
        router.handle(AttachWorker.self) { parameters, _ in
            let unwanted = self.state.withLockedValue { state in
                parameters.held.filter { state.unwanted.contains($0) }
            }
            self.change { $0.attached.append(parameters.held) }
            return .init(unwanted: unwanted)
        }
        router.handleInline(ClaimWork.self) { parameters, _, reply in
            self.change { $0.claims.append((parameters, reply)) }
            self.serve()
        }
        router.handle(ReleaseWork.self) { parameters, _ in
            self.change { $0.released += parameters.items }
            return Nothing()
        }
        router.handle(CreateJob.self) { parameters, _ in
            self.change { $0.created.append(parameters) }
            return CreatedJob(
                jobId: parameters.jobId, token: "token", status: .pending, totalCount: parameters.items.count)
        }
        router.handle(RecordWebhook.self) { parameters, _ in
            self.change { $0.webhooks.append(parameters) }
            return Nothing()
        }
        router.handleRaw(RecordWork.name) { raw, _ in try self.record(raw) }
        imports.add(to: &router)
        return router
    }

    private func record(_ raw: ByteBuffer) throws -> ByteBuffer {
        let isRefused = state.withLockedValue { state in
            state.refusals -= 1
            return state.refusals >= 0
        }
        if isRefused {
            throw RPCApplicationError(code: APIErrorCode.serviceUnavailable.rawValue, message: "no space")
        }
        guard let work = RecordWork(raw: raw) else {
            throw RPCApplicationError(code: APIErrorCode.invalidRequest.rawValue, message: "wrong structure")
        }
        let deliveries = try zip(work.outcomes, work.rows).map { outcome, row in
            let scanned = try? BodyCoding.decode(ScannedBook.self, from: row)
            let book = try scanned == nil ? BodyCoding.decode(EnrichedBook.self, from: row) : nil
            return Delivery(
                outcome: outcome, row: book ?? EnrichedBook(asked: BookQuery(), success: false), scanned: scanned)
        }
        change { $0.deliveries += deliveries }
        return ByteBuffer(string: "{}")
    }
}

extension ClaimedItem {
    /// The scope of the claim for which the item is handed out.
    fileprivate var scope: ClaimWork.Scope { workClass >= .followUp ? .later : .firstLookups }
}
