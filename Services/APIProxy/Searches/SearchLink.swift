import BookstrackContract
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Observability
import SuiteMethods

/// Answers searches from memory or by calling enrichment-worker; concurrent identical queries share one call.
final class SearchLink: Sendable {
    typealias Question = SearchBooks.Question

    private struct State: Sendable {
        var cache: AnswerCache<Question>
        var uses = Uses()
        var purges = 0
        var flights: [Question: Flight] = [:]
        var lastFlight: UInt64 = 0
    }

    private struct Flight: Sendable {
        let id: UInt64
        let task: Task<SearchAnswer, any Error>
        /// Number of purges when the flight started. After another purge, no further request joins the flight, and its result is not cached.
        let purges: Int
        /// Number of requests waiting for the flight's result.
        var waiters = 1
    }

    private enum Finding: Sendable {
        case fresh(KeptAnswer)
        case asked(Flight, expired: KeptAnswer?)
    }

    private struct Uses: Sendable {
        var (hits, stale, misses) = (0, 0, 0)
    }

    private let workers: WorkerLinks
    private let aborted: AbortedConnections
    private let clock: any SuiteClock
    private let state: NIOLockedValueBox<State>

    /// - Parameter limit: Maximum size of the results in memory, in bytes.
    init(
        workers: WorkerLinks, aborted: AbortedConnections, limit: Int = 64 << 20,
        clock: any SuiteClock = SystemClock()
    ) {
        self.workers = workers
        self.aborted = aborted
        self.clock = clock
        state = NIOLockedValueBox(State(cache: AnswerCache(limit: limit)))
    }

    /// Finds the result of a query. If the client of `channel` disconnects or the task is cancelled, and no other request is waiting for the result,
    /// the call to the worker is cancelled. If the call fails, returns an expired result that is still in memory, unless the error is `NOT_FOUND`.
    ///
    /// - Parameter client: The client whose share of paid budgets the query counts against, unless it joins another client's query. Evaluated only if
    ///   the worker is called, because most searches are answered from memory.
    /// - Throws: `RPCError` with the worker's application error; `APIFailure` if the call fails for another reason, for example because the worker is
    ///   down or too slow; `CancellationError`; ``ServerStops``.
    func find(
        _ question: Question, of client: @autoclosure () -> String, for channel: any Channel
    ) async throws -> FoundAnswer {
        let now = clock.uptime
        switch look(question, client, now) {
        case .fresh(let answer): return found(answer, .hit, now)
        case .asked(let flight, let expired):
            return try await aborted.cancelling(channel) {
                try await self.wait(for: flight, question, expired: expired, now)
            }
        }
    }

    /// A fresh result in memory; nil if ``find(_:of:for:)`` is needed.
    func fresh(_ question: Question) -> FoundAnswer? {
        let now = clock.uptime
        let answer = state.withLockedValue { state -> KeptAnswer? in
            guard let hit = state.cache.find(question, now: now), hit.isFresh else { return nil }
            state.uses.hits += 1
            return hit.answer
        }
        return answer.map { found($0, .hit, now) }
    }

    private func wait(
        for flight: Flight, _ question: Question, expired: KeptAnswer?, _ now: Duration
    ) async throws -> FoundAnswer {
        do {
            return found(
                try await withTaskCancellationHandler {
                    try await flight.task.value
                } onCancel: {
                    leave(flight.id, question)
                })
        } catch let error as RPCError where error.applicationCode != APIErrorCode.notFound.rawValue {
            if Task.isCancelled { throw CancellationError() }
            // An old result is better than none (Services/README.md "When a process is down", metadata.md "Cache").
            if let expired {
                state.withLockedValue { $0.uses.stale += 1 }
                return found(expired, .stale, now)
            }
            throw error.applicationCode == nil ? APIFailure.searchUnavailable(error) : error
        }
    }

    /// The result in memory, or the query's flight, which is joined or started. Both are looked up under one lock: a flight stores its result, if it
    /// may be cached, before it ends. A flight continues as long as at least one request is waiting for it.
    private func look(_ question: Question, _ client: () -> String, _ now: Duration) -> Finding {
        state.withLockedValue { state in
            let hit = state.cache.find(question, now: now)
            if let hit, hit.isFresh {
                state.uses.hits += 1
                return .fresh(hit.answer)
            }
            if hit == nil { state.uses.misses += 1 }
            let purges = state.purges
            if var flight = state.flights[question], flight.purges == purges {
                flight.waiters += 1
                state.flights[question] = flight
                return .asked(flight, expired: hit?.answer)
            }
            state.lastFlight += 1
            let id = state.lastFlight
            let client = client()
            let task = Task { try await self.fetch(id, question, client, purges: purges) }
            let flight = Flight(id: id, task: task, purges: purges)
            state.flights[question] = flight
            return .asked(flight, expired: hit?.answer)
        }
    }

    /// Called when a waiting request is cancelled. If no other request is waiting, the flight is cancelled, too.
    private func leave(_ id: UInt64, _ question: Question) {
        let abandoned = state.withLockedValue { state in
            guard var flight = state.flights[question], flight.id == id else { return nil as Flight? }
            flight.waiters -= 1
            state.flights[question] = flight.waiters > 0 ? flight : nil
            return flight.waiters > 0 ? nil : flight
        }
        abandoned?.task.cancel()
    }

    /// Size, hits and misses of the cache.
    var statistics: ReadCacheStatistics.Result {
        state.withLockedValue { state in
            ReadCacheStatistics.Result(
                entries: state.cache.count, bytes: state.cache.bytes, limit: state.cache.limit,
                hits: state.uses.hits, staleHits: state.uses.stale, misses: state.uses.misses)
        }
    }

    /// Number of queries that enrichment-worker is currently processing.
    var questionsInFlight: Int { state.withLockedValue { $0.flights.count } }

    /// Number of requests waiting for their results. Tests wait for it to change, because a request that joins or leaves another one's query has
    /// no other visible effect.
    var requestsInFlight: Int { state.withLockedValue { $0.flights.values.reduce(0) { $0 + $1.waiters } } }

    /// Drops all results, and returns their number. Results of queries in flight will not be cached.
    func purge() -> Int {
        state.withLockedValue { state in
            defer { state.cache.removeAll() }
            state.purges += 1
            return state.cache.count
        }
    }

    private func fetch(
        _ id: UInt64, _ question: Question, _ client: String, purges: Int
    ) async throws -> SearchAnswer {
        defer {
            state.withLockedValue { if $0.flights[question]?.id == id { $0.flights[question] = nil } }
        }
        let raw = try await workers.callRaw(
            SearchBooks.name, try BodyCoding.encode(SearchBooks.Parameters(question, client: client)),
            deadline: SearchBooks.deadline)
        guard let answer = SearchAnswer(raw: raw) else {
            throw RPCError(.protocolViolation("result of \(SearchBooks.name) does not have the documented shape"))
        }
        if answer.head.freshSeconds > 0 {
            let kept = KeptAnswer(answer, now: clock.uptime)
            state.withLockedValue { if $0.purges == purges { $0.cache.keep(kept, for: question) } }
        }
        return answer
    }

    private func found(_ answer: SearchAnswer) -> FoundAnswer {
        let head = answer.head
        return FoundAnswer(
            data: answer.data, provider: head.provider,
            source: head.isStale ? .stale : (head.ageSeconds == nil ? .miss : .hit), ageSeconds: head.ageSeconds ?? 0,
            freshSeconds: head.freshSeconds, providers: head.providers)
    }

    private func found(_ answer: KeptAnswer, _ source: FoundAnswer.Source, _ now: Duration) -> FoundAnswer {
        FoundAnswer(
            data: answer.data, provider: answer.provider, source: source,
            ageSeconds: Int((now - answer.madeAt).components.seconds),
            freshSeconds: max(0, Int((answer.freshUntil - now).components.seconds)))
    }
}

extension APIFailure {
    /// The failure of a search whose call failed without an application error, usually because enrichment-worker is down or did not respond within
    /// the deadline.
    fileprivate static func searchUnavailable(_ error: RPCError) -> APIFailure {
        if case .deadlineExceeded = error.kind {
            return APIFailure(.providerTimeout, "The providers did not respond in time.")
        }
        return APIFailure(.serviceUnavailable, "Search is temporarily unavailable. Please try again.", retryAfter: 2)
    }
}

/// A search result, from memory or from a worker.
struct FoundAnswer: Sendable {
    /// The value of `X-Cache`.
    enum Source: String, CaseIterable, Sendable {
        case hit = "HIT"
        case miss = "MISS"
        case stale = "STALE"
    }

    /// The JSON text of the envelope's `data`.
    let data: ByteBuffer
    let provider: String
    let source: Source
    /// Seconds since the oldest part of the result was received from its provider; 0 for a `miss`.
    let ageSeconds: Int
    /// Seconds until the result expires.
    let freshSeconds: Int
    /// The outcome of each provider, if one failed; nil for a result from memory.
    var providers: [ProviderReport]?
}
