import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import Observability
import ProviderClient
import ServiceKit
import SuiteMethods

/// Answers ``FetchCover``: fetches each picture once for all concurrent callers.
final class CoverFetcher: Sendable {
    /// The time limit for a fetch: the caller's deadline minus the time that the response needs to reach the caller.
    private static let limit = FetchCover.deadline - .milliseconds(300)
    /// Maximum number of concurrent fetches; metadata calls use the same transfer engine, and each picture may take 8 MiB of memory.
    private static let maxFetches = 32

    private typealias Fetch = Task<Result<FetchCover.Result, CoverFailure>, Never>

    private struct State: Sendable {
        var absences = MissingCovers()
        var fetches: [CoverName: Fetch] = [:]
        /// The current fault in storing covers.
        var faults = LogOnce()
    }

    private let clients: CoverClients
    private let store: CoverStore
    private let clock: any SuiteClock
    private let metrics: WorkerMetrics
    private let logger: Logger
    private let threads: NIOThreadPool
    private let state = NIOLockedValueBox(State())

    init(
        clients: CoverClients, store: CoverStore, clock: any SuiteClock, metrics: WorkerMetrics, logger: Logger,
        threads: NIOThreadPool = .singleton
    ) {
        self.clients = clients
        self.store = store
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
        self.threads = threads
    }

    /// Returns a cover from the store, or fetches it from its host.
    ///
    /// - Throws: ``CoverFailure``.
    func fetch(_ parameters: FetchCover.Parameters) async throws(CoverFailure) -> FetchCover.Result {
        do throws(CoverFailure) {
            let result = try await find(parameters)
            metrics.cover(.served)
            return result
        } catch {
            metrics.cover(CoverOutcome(error))
            throw error
        }
    }

    private func find(_ parameters: FetchCover.Parameters) async throws(CoverFailure) -> FetchCover.Result {
        let address: CoverAddress
        do throws(CoverAddress.Refusal) {
            address = try CoverAddress(parameters.url)
        } catch {
            throw .refused(error)
        }
        let name = address.name(parameters.size)
        return try await sharedFetch(name, address, parameters.size).get().value.get()
    }

    /// Joins the fetch of a picture, or starts it unless the picture is known to be missing or too many are being fetched. The fetch continues if its
    /// first caller leaves, because others may have joined and the picture is stored for later callers.
    private func sharedFetch(
        _ name: CoverName, _ address: CoverAddress, _ size: CoverSize
    ) -> Result<Fetch, CoverFailure> {
        let now = clock.now
        return state.withLockedValue { state in
            if let fetch = state.fetches[name] { return .success(fetch) }
            if state.absences.contains(name, now: now) { return .failure(.missing) }
            guard state.fetches.count < Self.maxFetches else { return .failure(.busy) }
            let fetch = Fetch { await self.run(name, address, size) }
            state.fetches[name] = fetch
            return .success(fetch)
        }
    }

    private func run(
        _ name: CoverName, _ address: CoverAddress, _ size: CoverSize
    ) async -> Result<FetchCover.Result, CoverFailure> {
        let result: Result<FetchCover.Result, CoverFailure>
        do throws(CoverFailure) {
            result = .success(try await fetch(name, address, size))
        } catch {
            result = .failure(error)
        }
        let now = clock.now
        state.withLockedValue { state in
            state.fetches[name] = nil
            if case .failure(.missing) = result { state.absences.insert(name, now: now) }
        }
        return result
    }

    private func fetch(
        _ name: CoverName, _ address: CoverAddress, _ size: CoverSize
    ) async throws(CoverFailure) -> FetchCover.Result {
        if let file = await found(name) { return FetchCover.Result(file, name) }
        let deadline = clock.now.advanced(by: Self.limit)
        let answer: ProviderAnswer
        do throws(ProviderFailure) {
            answer = try await clients[address.host].get(
                address.path(size), priority: .interactive, deadline: deadline)
        } catch {
            throw .call(error)
        }
        guard answer.status != 404 else { throw .missing }
        guard let picture = CoverPicture(answer.body) else { throw .noPicture }
        guard !picture.isStandIn else { throw .missing }
        return try await kept(picture, name)
    }

    /// The stored cover; nil if there is none, or if the thread pool has shut down because the process is ending.
    private func found(_ name: CoverName) async -> CoverFile? {
        try? await threads.runIfActive { [store] in store.find(name) }
    }

    private func kept(_ picture: CoverPicture, _ name: CoverName) async throws(CoverFailure) -> FetchCover.Result {
        do {
            let file = try await threads.runIfActive { [store] in try store.keep(picture, as: name) }
            if state.withLockedValue({ $0.faults.end() }) { logger.notice("covers are stored again") }
            return FetchCover.Result(file, name)
        } catch {
            let reason = (error as? CoverStore.Failure)?.reason ?? "\(error)"
            if state.withLockedValue({ $0.faults.note(reason) }) {
                logger.error("covers cannot be stored", metadata: ["reason": "\(reason)"])
            }
            throw .notKept
        }
    }
}

extension FetchCover.Result {
    fileprivate init(_ file: CoverFile, _ name: CoverName) {
        self.init(file: name, contentType: file.type, bytes: file.bytes)
    }
}

/// Covers that a host does not have, remembered for five minutes (metadata.md "Cache").
struct MissingCovers: Sendable {
    private static let ttl = Duration.seconds(300)

    /// Maximum number of entries. When it is reached, entries older than half their TTL are dropped; if that is not enough, all are dropped.
    private let limit: Int
    private var ends: [CoverName: MonotonicInstant] = [:]

    init(limit: Int = 20_000) { self.limit = limit }

    func contains(_ name: CoverName, now: MonotonicInstant) -> Bool { ends[name].map { now < $0 } ?? false }

    mutating func insert(_ name: CoverName, now: MonotonicInstant) {
        if ends.count >= limit { ends = ends.filter { now.advanced(by: Self.ttl / 2) < $0.value } }
        if ends.count >= limit { ends = [:] }
        ends[name] = now.advanced(by: Self.ttl)
    }
}
