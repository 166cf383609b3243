import JSONRPC
import ServiceKit
import SuiteMethods

/// Lets enrichment-worker, which has the way out and the HTTP client, ask every provider once.
struct ProviderExamination: Sendable {
    private static let subject = "providers"

    let directories: SuiteDirectories

    func findings(_ worker: ReadStatus.Result?) async -> [Finding] {
        guard let worker else {
            return [.warning(Self.subject, "not asked: enrichment-worker, which would ask them, does not answer")]
        }
        do {
            let probes = try await ServiceSocket(.enrichmentWorker, in: directories).call(
                ProbeProviders.self, Nothing()
            )
            .providers
            return probes.map(Self.finding) + Self.sum(probes) + Self.breakers(worker.worker?.providers ?? [])
        } catch {
            return [.problem(Self.subject, error)]
        }
    }

    static func finding(_ probe: ProbeProviders.Probe) -> Finding {
        guard let status = probe.status else {
            return .warning(
                probe.provider, "\(probe.address) cannot be reached: \(probe.failure ?? "no reason given")",
                advice: "look at name service, way out and firewall of the machine of enrichment-worker")
        }
        return .ok(probe.provider, "\(probe.address) answers with status \(status) in \(probe.milliseconds) ms")
    }

    /// One that is away is bearable; all of them are not.
    static func sum(_ probes: [ProbeProviders.Probe]) -> [Finding] {
        guard !probes.isEmpty, probes.allSatisfy({ $0.status == nil }) else { return [] }
        return [.problem(Self.subject, "none can be reached, so that nothing is found that is not in the cache")]
    }

    private static func breakers(_ providers: [ProviderFigure]) -> [Finding] {
        providers.filter { $0.breaker != .closed || $0.leftToday == 0 }.map {
            .warning(
                $0.name,
                $0.leftToday == 0
                    ? "the day's budget is used up" : "its circuit breaker is not closed (\($0.cause ?? "-"))",
                advice: "it is asked again by itself; bookstrack status says when")
        }
    }
}
