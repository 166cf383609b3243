import NIOConcurrencyHelpers
import Observability
import ProviderClient
import ServiceKit
import Transfer

/// Checks regularly which engines are reachable, so no client uploads a photo in vain (scans.md "Engines"). Only engines that are called without a
/// key are checked; for the others, only the state of the circuit breaker is known.
final class EngineWatch: Sendable {
    /// Pause between rounds while all engines are reachable. api-proxy caches this report for 10 s.
    private static let pause = Duration.seconds(10)
    /// Pause between rounds while an engine is unreachable. The shelf reader restarts within seconds.
    private static let pauseWhileUnreachable = Duration.seconds(2)

    private struct State {
        /// The number of the last round that was started.
        var begun = 0
        var outcomes: [EngineName: Outcome] = [:]
    }

    /// The outcome of the newest round that has checked an engine.
    private struct Outcome {
        var round: Int
        /// Why the engine is unreachable; nil if it is reachable.
        var fault: String?
    }

    private let engines: [Engine]
    private let clock: any SuiteClock
    private let state = NIOLockedValueBox(State())

    init(_ engines: [Engine], clock: any SuiteClock) {
        self.engines = engines.filter(\.client.hasHealthPath)
        self.clock = clock
    }

    /// Why an engine is unreachable; nil if it is reachable or not checked.
    func fault(of engine: EngineName) -> String? { state.withLockedValue { $0.outcomes[engine]?.fault } }

    /// Checks until the task is cancelled.
    func run() async {
        guard !engines.isEmpty else { return }
        while !Task.isCancelled {
            await check()
            let isUnreachable = state.withLockedValue { $0.outcomes.values.contains { $0.fault != nil } }
            let pause = isUnreachable ? Self.pauseWhileUnreachable : Self.pause
            try? await clock.sleep(until: clock.now.advanced(by: pause))
        }
    }

    /// Checks each of the present engines once, and forgets the outcomes of the others. An outcome that arrives after that of a later round is
    /// dropped.
    func check() async {
        let absent = Set(engines.filter { !$0.client.isPresent }.map(\.name))
        let round = state.withLockedValue { state in
            for name in absent { state.outcomes[name] = nil }
            state.begun += 1
            return state.begun
        }
        await withTaskGroup { group in
            for engine in engines where !absent.contains(engine.name) {
                group.addTask { (engine.name, Self.fault(await engine.client.probe())) }
            }
            for await (name, fault) in group {
                state.withLockedValue { state in
                    guard round > state.outcomes[name]?.round ?? 0 else { return }
                    state.outcomes[name] = Outcome(round: round, fault: fault)
                }
            }
        }
    }

    private static func fault(_ probe: ProviderProbe) -> String? {
        switch probe.outcome {
        case .success(let status): status < 500 ? nil : "it responds with status \(status)"
        case .failure(.connectionFailed(let fault, _)): fault.words
        case .failure: "it does not respond"
        }
    }
}
