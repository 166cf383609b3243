package import SuiteMethods

/// Interprets, for operators, the workers' figures and a round of calls to the providers.
package enum ProviderFindings {
    private static let subject = "providers"

    /// All findings, beginning with those from the calls.
    package static func all(_ probes: [ProbeProviders.Probe], _ figures: [ProviderFigure]) -> [Finding] {
        probes.map(finding) + sum(probes) + breakers(figures) + keys(figures) + [engines(figures)]
    }

    package static func finding(_ probe: ProbeProviders.Probe) -> Finding {
        guard let status = probe.status else {
            return .warning(
                probe.provider, "\(probe.address) cannot be reached: \(probe.failure ?? "no reason given")",
                advice: advice(probe))
        }
        // The status of an API's base address is often 404; only a server error indicates a problem.
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
            "start the shelf reader (systemctl start bookstrack-shelf-reader, docker compose --profile reader up), correct BOOKSTRACK_SHELF_READER_SOCKET, or, if the reader is no longer used, remove this setting and the socket"
        case _ where probe.provider == EngineName.openai.rawValue:
            "start the server, or correct BOOKSTRACK_VISION_BASE_URL"
        case "dns": "check DNS on enrichment-worker's host (/etc/resolv.conf)"
        case "unreachable":
            "check outbound internet access and the firewall on enrichment-worker's host, or set BOOKSTRACK_HTTPS_PROXY"
        case "tls":
            "check the clock and the certificates (ca-certificates) on enrichment-worker's host; set BOOKSTRACK_CA_FILE for a certificate authority of your own"
        case "proxy":
            "check BOOKSTRACK_HTTPS_PROXY, and whether the proxy allows enrichment-worker's host"
        default: "check DNS, outbound internet access and the firewall on enrichment-worker's host"
        }
    }

    /// A problem if the calls reached no book provider; otherwise no finding.
    package static func sum(_ probes: [ProbeProviders.Probe]) -> [Finding] {
        let probes = probes.filter { EngineName(rawValue: $0.provider) == nil }
        guard !probes.isEmpty, probes.allSatisfy({ $0.status == nil }) else { return [] }
        return [.problem(subject, "no provider is reachable; only cached books can be found")]
    }

    /// The finding about the engines that read photos, with their models.
    package static func engines(_ figures: [ProviderFigure]) -> Finding {
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
            subject, "no engine can read photos at the moment: \(list)",
            advice: "bookstrack status shows the state of each engine")
    }

    /// Findings about providers that are not called at present: a problem if a provider rejects requests because of a setting, which an operator must
    /// correct, otherwise a warning.
    package static func breakers(_ providers: [ProviderFigure]) -> [Finding] {
        providers.filter { $0.breaker != .closed || $0.leftToday == 0 }.map { provider in
            if let refusal = provider.refusal {
                return .problem(
                    provider.name, "it \(refusal.statement); calls are paused",
                    advice:
                        "correct \(refusal.setting) and restart every enrichment-worker; a correction on the provider's side is noticed without a restart"
                )
            }
            return .warning(
                provider.name,
                provider.leftToday == 0
                    ? "the daily budget is used up"
                    : "calls are paused (\(provider.cause ?? "-"))",
                advice: "calls resume automatically; bookstrack status shows when")
        }
    }

    /// Findings about keys that an operator has set: they are lost at the worker's next start.
    package static func keys(_ providers: [ProviderFigure]) -> [Finding] {
        providers.filter { $0.key == .operator }.map { provider in
            .warning(
                provider.name,
                "it is called with a key that was set in the console and will be lost at the next restart",
                advice: "add the key to enrichment-worker's settings")
        }
    }
}
