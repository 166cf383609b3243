import JSONRPC
import ServiceKit
import SuiteMethods

/// Has a worker check whether the providers are reachable, since only a worker has their HTTP clients.
struct ProviderExamination: Sendable {
    private static let subject = "providers"

    let directories: SuiteDirectories

    /// - Parameter workers: The status of each worker; the first one that answered checks the providers.
    func findings(_ workers: [ServiceReport]) async -> [Finding] {
        guard let worker = workers.first(where: { $0.status != nil }) else {
            return [
                .warning(Self.subject, "not checked: enrichment-worker, which contacts the providers, does not answer")
            ]
        }
        do {
            let socket = ServiceSocket(worker.service, in: directories)
            let probes = try await socket.call(ProbeProviders.self, Nothing()).providers
            let figures = workers.flatMap { $0.status?.worker?.providers ?? [] }
            return ProviderFindings.all(probes, figures)
        } catch {
            return [.problem(Self.subject, error)]
        }
    }
}
