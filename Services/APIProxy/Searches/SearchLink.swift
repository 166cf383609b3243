import BookstrackContract
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import SuiteMethods

/// Answers searches from memory, else asks enrichment-worker, each question once however many ask it at the same time.
final class SearchLink: Sendable {
    typealias Question = SearchBooks.Parameters

    private struct State: Sendable {
        var cache: AnswerCache<Question>
        var uses = Uses()
        var flights: [Question: Task<SearchAnswer, any Error>] = [:]
    }

    private struct Uses: Sendable {
        var (hits, stale, misses) = (0, 0, 0)
    }

    private let worker: RPCClient
    private let now: @Sendable () -> NIODeadline
    private let state: NIOLockedValueBox<State>

    /// - Parameter limit: Bytes of answers in memory.
    init(worker: RPCClient, limit: Int = 64 << 20, now: @escaping @Sendable () -> NIODeadline = { .now() }) {
        self.worker = worker
        self.now = now
        state = NIOLockedValueBox(State(cache: AnswerCache(limit: limit)))
    }

    /// - Throws: `RPCError` of the worker; `APIFailure` when it is away and nothing is known.
    func find(_ question: Question) async throws -> FoundAnswer {
        let now = now()
        let hit = state.withLockedValue { state in
            let hit = state.cache.find(question, now: now)
            if hit?.isFresh == true { state.uses.hits += 1 }
            return hit
        }
        if let hit, hit.isFresh { return found(hit.answer, .hit, now) }
        do {
            let answer = try await asked(question)
            if hit == nil { state.withLockedValue { $0.uses.misses += 1 } }
            return found(answer)
        } catch {
            guard let error = error as? RPCError, error.applicationCode != APIErrorCode.notFound.rawValue else {
                throw error
            }
            // Better an old answer than none (spec/01 "Degradation", spec/04 "Cache").
            if let hit {
                state.withLockedValue { $0.uses.stale += 1 }
                return found(hit.answer, .stale, now)
            }
            throw error.applicationCode == nil ? APIFailure.searchUnavailable(error) : error
        }
    }

    /// How full the memory is and how it was used.
    var statistics: ReadCacheStatistics.Result {
        state.withLockedValue { state in
            ReadCacheStatistics.Result(
                entries: state.cache.count, bytes: state.cache.bytes, limit: state.cache.limit,
                hits: state.uses.hits, staleHits: state.uses.stale, misses: state.uses.misses)
        }
    }

    /// Forgets all answers; returns how many there were.
    func purge() -> Int {
        state.withLockedValue { state in
            defer { state.cache.removeAll() }
            return state.cache.count
        }
    }

    /// Joins the flight of the question, or begins it. It goes on when who began it leaves: others may have joined, and its answer is
    /// good for the next.
    private func asked(_ question: Question) async throws -> SearchAnswer {
        let flight = state.withLockedValue { state in
            if let flight = state.flights[question] { return flight }
            let flight = Task { try await self.fly(question) }
            state.flights[question] = flight
            return flight
        }
        return try await flight.value
    }

    private func fly(_ question: Question) async throws -> SearchAnswer {
        defer { state.withLockedValue { $0.flights[question] = nil } }
        let raw = try await worker.callRaw(
            SearchBooks.name, try BodyCoding.encode(question), deadline: SearchBooks.deadline)
        guard let answer = SearchAnswer(raw: raw) else {
            throw RPCError(.protocolViolation("\(SearchBooks.name) does not have the documented shape"))
        }
        if answer.head.freshSeconds > 0 {
            let kept = KeptAnswer(answer, now: now())
            state.withLockedValue { $0.cache.keep(kept, for: question) }
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

    private func found(_ answer: KeptAnswer, _ source: FoundAnswer.Source, _ now: NIODeadline) -> FoundAnswer {
        FoundAnswer(
            data: answer.data, provider: answer.provider, source: source,
            ageSeconds: Int((now - answer.madeAt).nanoseconds / 1_000_000_000),
            freshSeconds: max(0, Int((answer.freshUntil - now).nanoseconds / 1_000_000_000)))
    }
}

extension APIFailure {
    /// enrichment-worker is not there, or did not answer within a search's deadline.
    fileprivate static func searchUnavailable(_ error: RPCError) -> APIFailure {
        if case .deadlineExceeded = error.kind {
            return APIFailure(.providerTimeout, "The providers did not answer in time.")
        }
        return APIFailure(.serviceUnavailable, "Books cannot be searched now. Please try again.", retryAfter: 2)
    }
}
