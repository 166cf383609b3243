extension ProviderClient {
    private static let probeTimeouts = TransferTimeouts(
        connect: .seconds(5), firstByte: .seconds(8), total: .seconds(10))

    /// Asks for the base address once, without the key, past budget and breaker; redirects are answers and not followed. For operators, who
    /// ask seldom.
    package func probe() async -> ProviderProbe {
        let address = configuration.baseURL.description
        let start = clock.now
        let outcome: Result<Int, TransferError>
        do throws(TransferError) {
            outcome = .success(
                try await engine.perform(TransferRequest(url: address, timeouts: Self.probeTimeouts)).status)
        } catch {
            outcome = .failure(error)
        }
        return ProviderProbe(
            provider: configuration.name, address: address, duration: start.duration(to: clock.now), outcome: outcome)
    }
}
