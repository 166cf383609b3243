import ServiceLifecycle

/// Looks at the peers every now and then, so that log and service manager hear of a change even if readiness is not requested.
struct ReadinessWatch: Service {
    /// As often as peers are pinged (http-api.md "Readiness").
    private static let interval = Duration.seconds(2)

    let readiness: Readiness

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: Self.interval)
                _ = await readiness.report()
            }
        }
    }
}
