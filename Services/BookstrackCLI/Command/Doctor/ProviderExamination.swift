import JSONRPC
import ServiceKit
import SuiteMethods

/// Lets a worker call every provider once: only a worker has the network access and the HTTP client.
struct ProviderExamination: Sendable {
    private static let subject = "providers"

    let directories: SuiteDirectories

    /// - Parameter workers: The status of each worker; the first one that answered makes the calls.
    func findings(_ workers: [ServiceReport]) async -> [Finding] {
        guard let worker = workers.first(where: { $0.status != nil }) else {
            return [.warning(Self.subject, "not checked: enrichment-worker, which contacts them, does not answer")]
        }
        do {
            let socket = ServiceSocket(worker.service, in: directories)
            let probes = try await socket.call(ProbeProviders.self, Nothing()).providers
            let figures = workers.flatMap { $0.status?.worker?.providers ?? [] }
            return probes.map(Self.finding) + Self.sum(probes) + Self.breakers(figures) + [Self.engines(figures)]
        } catch {
            return [.problem(Self.subject, error)]
        }
    }

    static func finding(_ probe: ProbeProviders.Probe) -> Finding {
        guard let status = probe.status else {
            return .warning(
                probe.provider, "\(probe.address) cannot be reached: \(probe.failure ?? "no reason given")",
                advice: advice(probe))
        }
        // The status of an API's base address means nothing, often it is 404; a server error does.
        guard status < 500 else {
            return .warning(
                probe.provider, "\(probe.address) responds with status \(status)",
                advice: "the provider has a problem; calls are retried automatically")
        }
        return .ok(probe.provider, "\(probe.address) responds in \(probe.milliseconds) ms")
    }

    private static func advice(_ probe: ProbeProviders.Probe) -> String {
        switch probe.cause {
        case _ where probe.provider == EngineName.reader.rawValue:
            "start the shelf reader (systemctl start bookstrack-shelf-reader, docker compose --profile reader up), or correct BOOKSTRACK_SHELF_READER_SOCKET"
        case _ where probe.provider == EngineName.openai.rawValue:
            "start the server, or correct BOOKSTRACK_VISION_BASE_URL"
        case "dns": "check DNS on enrichment-worker's host (/etc/resolv.conf)"
        case "unreachable":
            "check outbound internet access and the firewall on enrichment-worker's host, or set BOOKSTRACK_HTTPS_PROXY"
        case "tls":
            "check the clock and the certificates (ca-certificates) on enrichment-worker's host; set BOOKSTRACK_CA_FILE for a certificate authority of your own"
        case "proxy":
            "check BOOKSTRACK_HTTPS_PROXY, and whether the proxy admits enrichment-worker's host"
        default: "check DNS, outbound internet access and the firewall on enrichment-worker's host"
        }
    }

    /// One unreachable provider is a warning; if none of those that know books is reachable, it is a problem.
    static func sum(_ probes: [ProbeProviders.Probe]) -> [Finding] {
        let probes = probes.filter { EngineName(rawValue: $0.provider) == nil }
        guard !probes.isEmpty, probes.allSatisfy({ $0.status == nil }) else { return [] }
        return [.problem(Self.subject, "no provider is reachable; only cached books can be found")]
    }

    /// The engines that read photos, with their models.
    static func engines(_ figures: [ProviderFigure]) -> Finding {
        let subject = "scans"
        let engines = figures.compactMap { figure in figure.model.map { (figure, "\(figure.name) (\($0))") } }
        guard !engines.isEmpty else {
            return .ok(subject, "no engine is configured, so photos of shelves are not accepted")
        }
        let usable = engines.filter { $0.0.fault == nil && $0.0.breaker == .closed && $0.0.leftToday != 0 }
        let names = (usable.isEmpty ? engines : usable).map(\.1)
        let list = names.enumerated().filter { names.firstIndex(of: $1) == $0 }.map(\.element).joined(separator: ", ")
        guard usable.isEmpty else { return .ok(subject, "photos are read by \(list)") }
        return .warning(
            subject, "no engine reads photos now: \(list)", advice: "bookstrack status shows the state of each engine")
    }

    /// A provider that rejects our requests because of a setting does not recover on its own.
    static func breakers(_ providers: [ProviderFigure]) -> [Finding] {
        providers.filter { $0.breaker != .closed || $0.leftToday == 0 }.map { provider in
            if let refusal = provider.refusal {
                return .problem(
                    provider.name, "it \(refusal.statement); calls are paused",
                    advice:
                        "correct \(refusal.setting) and restart enrichment-worker; a correction at the provider is noticed without a restart"
                )
            }
            return .warning(
                provider.name,
                provider.leftToday == 0
                    ? "the daily budget is used up"
                    : "calls are paused after repeated failures (\(provider.cause ?? "-"))",
                advice: "calls resume automatically; bookstrack status shows when")
        }
    }
}
