import BookstrackContract
import JSONRPC
import ServiceKit
import SuiteMethods

/// Asks all services at the same time; one that does not answer keeps the others from nothing.
struct StatusCalls: Sendable {
    let directories: SuiteDirectories

    /// A report per service, in the order in which they are started.
    func reports() async -> [ServiceReport] {
        async let host = report(.progressHost)
        async let worker = report(.enrichmentWorker)
        async let proxy = report(.apiProxy)
        return await [host, worker, proxy]
    }

    private func report(_ service: ServiceName) async -> ServiceReport {
        do {
            let status = try await ServiceSocket(service, in: directories).call(ReadStatus.self, Nothing())
            return ServiceReport(service: service, answer: .success(status))
        } catch {
            return ServiceReport(service: service, answer: .failure(CommandFailure(error)))
        }
    }
}

extension [ServiceReport] {
    /// Unavailable when no service answers, incomplete when one does not or cannot serve.
    var exitStatus: ExitStatus {
        if allSatisfy({ $0.status == nil }) { return .unavailable }
        return contains { $0.status == nil || $0.status?.readiness.status == .unavailable } ? .incomplete : .success
    }
}
