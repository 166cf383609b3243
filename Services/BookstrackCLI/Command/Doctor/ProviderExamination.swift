import JSONRPC
import ServiceKit
import SuiteMethods

/// Has a worker ask every provider once: only a worker has the network access and the HTTP client.
struct ProviderExamination: Sendable {
    private static let subject = "providers"

    let directories: SuiteDirectories

    /// - Parameter workers: What each worker said of itself; the first that answered is let ask.
    func findings(_ workers: [ServiceReport]) async -> [Finding] {
        guard let worker = workers.first(where: { $0.status != nil }) else {
            return [.warning(Self.subject, "not asked: enrichment-worker, which would ask them, does not answer")]
        }
        do {
            let socket = ServiceSocket(worker.service, in: directories)
            let probes = try await socket.call(ProbeProviders.self, Nothing()).providers
            let figures = workers.flatMap { $0.status?.worker?.providers ?? [] }
            return probes.map(Self.finding) + Self.sum(probes) + Self.breakers(figures)
        } catch {
            return [.problem(Self.subject, error)]
        }
    }

    static func finding(_ probe: ProbeProviders.Probe) -> Finding {
        guard let status = probe.status else {
            return .warning(
                probe.provider, "\(probe.address) cannot be reached: \(probe.failure ?? "no reason given")",
                advice: advice(probe.cause))
        }
        return .ok(probe.provider, "\(probe.address) answers with status \(status) in \(probe.milliseconds) ms")
    }

    private static func advice(_ cause: String?) -> String {
        switch cause {
        case "dns": "look at the name service of the machine of enrichment-worker (/etc/resolv.conf)"
        case "unreachable":
            "look at way out and firewall of the machine of enrichment-worker, or set BOOKSTRACK_HTTPS_PROXY"
        case "tls":
            "look at the clock and the certificates (ca-certificates) of the machine of enrichment-worker; an authority of your own belongs in BOOKSTRACK_CA_FILE"
        case "proxy":
            "look at BOOKSTRACK_HTTPS_PROXY, and whether the proxy lets the machine of enrichment-worker through"
        default: "look at name service, way out and firewall of the machine of enrichment-worker"
        }
    }

    /// One that is away is bearable; all of them are not.
    static func sum(_ probes: [ProbeProviders.Probe]) -> [Finding] {
        guard !probes.isEmpty, probes.allSatisfy({ $0.status == nil }) else { return [] }
        return [.problem(Self.subject, "none can be reached, so that nothing is found that is not in the cache")]
    }

    /// One that refuses us until a setting is corrected does not come back by itself.
    static func breakers(_ providers: [ProviderFigure]) -> [Finding] {
        providers.filter { $0.breaker != .closed || $0.leftToday == 0 }.map { provider in
            if let refusal = provider.refusal {
                return .problem(
                    provider.name, "it \(refusal.statement), and is not asked",
                    advice:
                        "correct \(refusal.setting) and restart enrichment-worker; what is corrected at the provider it notices by itself"
                )
            }
            return .warning(
                provider.name,
                provider.leftToday == 0
                    ? "the day's budget is used up" : "its circuit breaker is not closed (\(provider.cause ?? "-"))",
                advice: "it is asked again by itself; bookstrack status says when")
        }
    }
}
