import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// Turns each request into a delivery: finds the provider by the path's prefix, consults the fault plan, and logs the request.
final class Emulator: Sendable {
    private struct State {
        var faults: FaultPlan
        var log: RequestLog
    }

    private let providers: ProviderAPIs
    private let latency: Duration
    private let start = NIODeadline.now()
    private let state: NIOLockedValueBox<State>

    /// - Parameters:
    ///   - latency: Minimum delay of every provider's responses.
    ///   - logLimit: Maximum number of requests in the log.
    ///   - seed: Seed for random faults.
    init(stock: Stock, latency: Duration = .zero, logLimit: Int = 100_000, seed: UInt64 = 1) {
        providers = ProviderAPIs(stock)
        self.latency = latency
        state = NIOLockedValueBox(State(faults: FaultPlan(seed: seed), log: RequestLog(limit: logLimit)))
    }

    func delivery(for request: ReceivedRequest) -> Delivery {
        let target = RequestTarget(request.head.uri)
        guard let first = target.components.first else { return .own(.emulatorNotFound) }
        if first == AdminRequest.prefix { return .own(answer(AdminRequest(request, target))) }
        guard let provider = Provider(rawValue: first) else { return .own(.emulatorNotFound) }
        let below = RequestTarget(components: Array(target.components.dropFirst()), query: target.query)
        return delivery(for: request, provider, providers.call(provider, below, request))
    }

    /// Records that a provider's delivery has ended. Must be called once for each such delivery, even if it failed.
    func finished(_ provider: Provider) {
        state.withLockedValue { $0.log.finish(provider) }
    }

    private func delivery(
        for request: ReceivedRequest, _ provider: Provider, _ call: EmulatedCall
    ) -> Delivery {
        let path = String(request.head.uri.dropFirst(provider.rawValue.count + 1))
        let verdict = state.withLockedValue { $0.faults.verdict(provider: provider, uri: path, keys: call.keys) }
        let inFlight = state.withLockedValue { $0.log.inFlight(provider) }
        let manner = manner(verdict, provider, call, inFlight: inFlight)
        let arrival = Arrival(sinceStart: NIODeadline.now() - start, wall: Date())
        state.withLockedValue {
            $0.log.add(
                arrival, provider: provider, path: path, keys: call.keys, status: manner.status, faults: verdict.kinds,
                userAgent: request.head.headers.first(name: "User-Agent"))
        }
        return Delivery(manner: manner, delay: latency + verdict.delay, provider: provider)
    }

    private func manner(
        _ verdict: FaultPlan.Verdict, _ provider: Provider, _ call: EmulatedCall, inFlight: Int
    ) -> Delivery.Manner {
        func answer() -> Answer { call.answer(verdict.substitutions) }
        return switch verdict.fault {
        case .status(let code, let retryAfter): .whole(.failure(code, retryAfter: retryAfter, provider: provider))
        case .quota(let code): .whole(.quota(code, provider: provider))
        case .redirect(let location): .whole(.redirect(to: location))
        case .garbage: .whole(.garbage(as: provider.contentType))
        case .bomb(let bomb): .whole(.bomb(bomb, as: provider.contentType))
        case .reset: .reset
        case .hang: .hang
        case .stall: .stall(answer())
        case .truncate: .truncate(answer())
        case .huge(let count): .padded(answer(), provider == .covers ? .after(count) : .before(count))
        case .unknownLocation: .whole(call.country == nil ? .unknownLocation : answer())
        case .tooManyValues: .whole(WikidataError.tooMany("ids", limit: 1).answer)
        case .crowded(let limit):
            .whole(inFlight < limit ? answer() : .failure(429, retryAfter: 1, provider: provider))
        case .invalidKey: .whole(call.credential == nil ? answer() : .invalidKey(provider))
        case .unservedRegion: .whole(.unservedRegion(provider))
        case .engine(let fault): .whole(call.faulty?(fault) ?? answer())
        case .slow, .wrongBook, .missing, nil: .whole(answer())
        }
    }

    private func answer(_ request: AdminRequest) -> Answer {
        switch request {
        case .health: return .json(["status": "ok"])
        case .log: return .log(state.withLockedValue { $0.log.entries })
        case .clearLog:
            state.withLockedValue { $0.log.clear() }
            return .json(["status": "ok"])
        case .statistics: return .encoded(state.withLockedValue { $0.log.summary })
        case .replaceFaults(let rules):
            state.withLockedValue { $0.faults.replace(with: rules) }
            return .json(["rules": .integer(rules.count)])
        case .refused(let reason): return .json(["error": .string(reason)], status: .badRequest)
        case .unknown: return .emulatorNotFound
        }
    }
}

extension Delivery {
    /// A response from the emulator itself, which is sent immediately and not logged.
    fileprivate static func own(_ answer: Answer) -> Delivery {
        Delivery(manner: .whole(answer), delay: .zero, provider: nil)
    }
}

extension Delivery.Manner {
    fileprivate var status: Int? {
        switch self {
        case .whole(let answer), .stall(let answer), .truncate(let answer), .padded(let answer, _):
            Int(answer.status.code)
        case .hang, .reset: nil
        }
    }
}

extension Answer {
    fileprivate static let emulatorNotFound = Answer.json(
        [
            "error":
                "Paths begin with /openlibrary, /googlebooks, /isbndb, /wikidata, /covers, /gemini, /openai or /_emulator."
        ],
        status: .notFound)
}
