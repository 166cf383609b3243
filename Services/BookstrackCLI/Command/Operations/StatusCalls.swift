import BookstrackContract
import JSONRPC
import ServiceKit
import SuiteMethods

/// Reads the status of all services concurrently.
struct StatusCalls: Sendable {
    let directories: SuiteDirectories
    /// The manager, which is queried about the units of services that do not answer; nil if systemd does not manage the services.
    var manager: SystemdManager?

    /// A report per process: progress-host, the main worker and every other worker with a socket, and api-proxy.
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

extension StatusCalls {
    init(_ settings: CommandSettings) {
        self.init(
            directories: settings.directories,
            manager: settings.concernsInstallation ? SystemdManager.standard : nil)
    }
}

extension [ServiceReport] {
    /// The exit status: `unavailable` if no service answers, `incomplete` if a service does not answer or cannot serve requests.
    var exitStatus: ExitStatus {
        if allSatisfy({ $0.status == nil }) { return .unavailable }
        return contains { $0.status == nil || $0.status?.readiness.status == .unavailable } ? .incomplete : .success
    }
}

/// The status of one service, or why it did not answer.
struct ServiceReport: Sendable {
    let service: ServiceInstance
    let answer: Result<ReadStatus.Result, ServiceFailure>
    /// The state of the service's systemd unit, if the service does not answer and has a unit.
    var unit: UnitReport?

    var status: ReadStatus.Result? { try? answer.get() }

    /// The state in one word: "ready", "degraded", "unavailable", or "down" if there is no response.
    var state: String { status?.readiness.status.rawValue ?? "down" }

    /// The meaning of the state, for its color.
    var meaning: OutputMeaning {
        switch status?.readiness.status {
        case .ready: .ok
        case .degraded: .warning
        case .unavailable, nil: .problem
        }
    }

    /// The reasons why the service is not ready; each names the process or its unit.
    var reasons: [String] {
        switch answer {
        case .failure(let failure): [failure.description] + (unit.map { ["\($0.unit) \($0.sentence)"] } ?? [])
        case .success(let status): status.readiness.troubles.map { "\(service.name): \($0)" }
        }
    }
}
