import NIOConcurrencyHelpers
import Observability
import ProviderClient
import ServiceKit
import Transfer

/// Checks regularly which engines can be reached, so that no client uploads a photo for nothing (scans.md "Engines").
/// Only engines on this network are checked; what is known of the others is the state of their circuit breaker.
final class EngineWatch: Sendable {
    /// Pause between two rounds. A report that api-proxy uses is at most 30 s old, including the 10 s for which api-proxy keeps it.
    private static let pause = Duration.seconds(10)

    private let engines: [Engine]
    private let clock: any SuiteClock
    private let faults = NIOLockedValueBox<[EngineName: String]>([:])

    init(_ engines: [Engine], clock: any SuiteClock) {
        self.engines = engines.filter(\.client.hasHealthPath)
        self.clock = clock
    }

    /// Why an engine cannot be reached; nil for one that can, or that is not checked.
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
