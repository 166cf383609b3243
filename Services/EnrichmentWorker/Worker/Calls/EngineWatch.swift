import NIOConcurrencyHelpers
import Observability
import ProviderClient
import ServiceKit
import Transfer

/// Checks regularly which engines are reachable, so no client uploads a photo in vain (scans.md "Engines"). Only engines that are called without a
/// key are checked; for the others, only the state of the circuit breaker is known.
final class EngineWatch: Sendable {
    /// Pause between rounds. A report used by api-proxy is at most 30 s old, including the 10 s for which api-proxy caches it.
    private static let pause = Duration.seconds(10)

    private let engines: [Engine]
    private let clock: any SuiteClock
    private let faults = NIOLockedValueBox<[EngineName: String]>([:])

    init(_ engines: [Engine], clock: any SuiteClock) {
        self.engines = engines.filter(\.client.hasHealthPath)
        self.clock = clock
    }

    /// Why an engine is unreachable; nil if it is reachable or not checked.
    func fault(of engine: EngineName) -> String? { faults.withLockedValue { $0[engine] } }

    /// Checks until the task is cancelled.
    func run() async {
        guard !engines.isEmpty else { return }
        while !Task.isCancelled {
            await check()
            try? await clock.sleep(until: clock.now.advanced(by: Self.pause))
        }
    }

    /// Checks every engine once.
    func check() async {
        await withTaskGroup { group in
            for engine in engines {
                group.addTask { (engine.name, Self.fault(await engine.client.probe())) }
            }
            for await (name, fault) in group { faults.withLockedValue { $0[name] = fault } }
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
