import BookstrackContract
import JSONRPC
import ServiceKit
import SuiteMethods

/// Asks all services at the same time; one that does not answer keeps the others from nothing.
struct StatusCalls: Sendable {
    let directories: SuiteDirectories

    /// A report per process, in the order in which they are started: progress-host, every worker that has a socket, api-proxy.
    func reports() async -> [ServiceReport] {
        let instances = [.progressHost] + directories.workers + [.apiProxy]
        return await withTaskGroup { group in
            for instance in instances { group.addTask { await report(instance) } }
            var reports: [ServiceInstance: ServiceReport] = [:]
            for await report in group { reports[report.service] = report }
            return instances.compactMap { reports[$0] }
        }
    }

    private func report(_ service: ServiceInstance) async -> ServiceReport {
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
