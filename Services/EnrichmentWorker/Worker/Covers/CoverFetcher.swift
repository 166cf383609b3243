import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import ProviderHTTP
import ServiceKit
import SuiteMethods

/// Answers ``FetchCover``: brings each picture once, however many ask for it at the same time.
final class CoverFetcher: Sendable {
    /// The part of the caller's deadline that is left for the way back.
    private static let limit = FetchCover.deadline - .milliseconds(300)
    /// Pictures that are brought at once; metadata shares the engine, and each may take 8 MiB of memory.
    private static let mostFlights = 32

    private typealias Flight = Task<Result<FetchCover.Result, CoverFailure>, Never>

    private struct State: Sendable {
        var absences = MissingCovers()
        var flights: [CoverName: Flight] = [:]
    }

    private let clients: CoverClients
    private let store: CoverStore
    private let clock: any ProviderClock
    private let metrics: WorkerMetrics
    private let logger: Logger
    private let threads: NIOThreadPool
    private let state = NIOLockedValueBox(State())

    init(
        clients: CoverClients, store: CoverStore, clock: any ProviderClock, metrics: WorkerMetrics, logger: Logger,
        threads: NIOThreadPool = .singleton
    ) {
        self.clients = clients
        self.store = store
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
        self.threads = threads
    }

    /// - Throws: ``CoverFailure``.
    func fetch(_ parameters: FetchCover.Parameters) async throws(CoverFailure) -> FetchCover.Result {
        do throws(CoverFailure) {
            let result = try await find(parameters)
            metrics.cover(.served)
            return result
        } catch {
            metrics.cover(CoverFate(error))
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
        return try await flight(name, address, parameters.size).get().value.get()
    }

    /// Joins the flight of a picture, or begins it. It goes on when who began it leaves: others may have joined, and the picture is good
    /// for the next.
    private func flight(
        _ name: CoverName, _ address: CoverAddress, _ size: CoverSize
    ) -> Result<Flight, CoverFailure> {
        let now = clock.now
        return state.withLockedValue { state in
            if let flight = state.flights[name] { return .success(flight) }
            if state.absences.contains(name, now: now) { return .failure(.missing) }
            guard state.flights.count < Self.mostFlights else { return .failure(.busy) }
            let flight = Flight { await self.fly(name, address, size) }
            state.flights[name] = flight
            return .success(flight)
        }
    }

    private func fly(
        _ name: CoverName, _ address: CoverAddress, _ size: CoverSize
    ) async -> Result<FetchCover.Result, CoverFailure> {
        let result: Result<FetchCover.Result, CoverFailure>
        do throws(CoverFailure) {
            result = .success(try await bring(name, address, size))
        } catch {
            result = .failure(error)
        }
        let now = clock.now
        state.withLockedValue { state in
            state.flights[name] = nil
            if case .failure(.missing) = result { state.absences.insert(name, now: now) }
        }
        return result
    }

    private func bring(
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

    /// A thread pool that has ended has found nothing; the process is ending too.
    private func found(_ name: CoverName) async -> CoverFile? {
        try? await threads.runIfActive { [store] in store.find(name) }
    }

    private func kept(_ picture: CoverPicture, _ name: CoverName) async throws(CoverFailure) -> FetchCover.Result {
        do {
            let file = try await threads.runIfActive { [store] in try store.keep(picture, as: name) }
            return FetchCover.Result(file, name)
        } catch {
            let reason = (error as? CoverStore.Failure)?.reason ?? "\(error)"
            logger.error("cover not kept", metadata: ["reason": "\(reason)"])
            throw .notKept
        }
    }
}

extension FetchCover.Result {
    fileprivate init(_ file: CoverFile, _ name: CoverName) {
        self.init(file: name, contentType: file.type, bytes: file.bytes)
    }
}

/// Covers that a host said it has not, for as long as that is believed (metadata.md "Cache").
struct MissingCovers: Sendable {
    private static let ttl = Duration.seconds(300)

    /// Most that are remembered; at the bound those that are older than half their TTL go, then all.
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
