import ProviderHTTP
import SuiteMethods

/// Asks every provider whether it can be reached. Callers at the same time share one round, so that no provider gets more than one
/// request at a time from here.
actor ProviderProbes {
    private let providers: [ProviderClient]
    private var round: Task<[ProbeProviders.Probe], Never>?

    init(providers: [ProviderClient]) { self.providers = providers }

    /// What each did, in the order of the providers.
    func run() async -> [ProbeProviders.Probe] {
        if let round { return await round.value }
        let round = Task { [providers] in await Self.ask(providers) }
        self.round = round
        let probes = await round.value
        self.round = nil
        return probes
    }

    private static func ask(_ providers: [ProviderClient]) async -> [ProbeProviders.Probe] {
        await withTaskGroup { group in
            for (place, provider) in providers.enumerated() {
                group.addTask { (place, ProbeProviders.Probe(await provider.probe())) }
            }
            var probes: [(place: Int, probe: ProbeProviders.Probe)] = []
            for await probe in group { probes.append(probe) }
            return probes.sorted { $0.place < $1.place }.map(\.probe)
        }
    }
}

extension ProbeProviders.Probe {
    fileprivate init(_ probe: ProviderProbe) {
        self.init(
            provider: probe.provider, address: probe.address, milliseconds: Int(probe.duration / .milliseconds(1)),
            status: try? probe.outcome.get(), failure: nil)
        guard case .failure(let error) = probe.outcome else { return }
        failure = Self.words(error)
        if case .connectionFailed(let fault, _) = error { cause = fault.rawValue }
    }

    private static func words(_ error: TransferError) -> String {
        switch error {
        case .connectionFailed(let fault, let reason): "\(fault.words) (\(reason))"
        case .malformedAnswer(let reason), .invalidRequest(let reason): reason
        case .timedOut(let phase): "no answer in time (\(phase.rawValue))"
        case .privateAddress, .tooLarge, .saturated, .cancelled, .stopped: error.code
        }
    }
}
