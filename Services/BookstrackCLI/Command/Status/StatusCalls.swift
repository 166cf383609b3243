import BookstrackContract
import JSONRPC
import ServiceKit
import SuiteMethods

/// Asks all services at the same time; one that does not answer does not delay the others.
struct StatusCalls: Sendable {
    let directories: SuiteDirectories
    /// Asked about the units of services that do not answer; nil where these are none of systemd's.
    var manager: SystemdManager?

    init(directories: SuiteDirectories, manager: SystemdManager? = nil) {
        self.directories = directories
        self.manager = manager
    }

    init(_ settings: CommandSettings) {
        self.init(
            directories: settings.directories,
            manager: settings.concernsInstallation ? SystemdManager.standard : nil)
    }

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
        do throws(ServiceFailure) {
            let status = try await ServiceSocket(service, in: directories).call(ReadStatus.self, Nothing())
            return ServiceReport(service: service, answer: .success(status))
        } catch {
            return ServiceReport(service: service, answer: .failure(error), unit: await manager?.report(of: service))
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
