package import BookstrackContract
package import Foundation
package import JSONRPC
package import Logging
import NIOConcurrencyHelpers
package import Observability
package import SuiteMethods

/// Collects the readiness of a process's dependencies, derives the process's own from it, and logs each change of a dependency's status
/// (Services/README.md, http-api.md "Readiness").
package final class HealthReporter: Sendable {
    private struct State {
        /// The dependencies, in the order of their first report.
        var dependencies: [ReadinessReport.Dependency] = []
        var isStopping = false
    }

    private let state = NIOLockedValueBox(State())
    private let logger: Logger
    private let onChange: @Sendable (ReadinessReport) -> Void

    /// When reporting started, in milliseconds since 1970.
    package let startedAt: Int64

    /// Creates a reporter that calls `onChange` when a dependency is first reported or withdrawn, when its status changes, and when the reason why it
    /// is not ready changes.
    package init(
        logger: Logger, now: Date = Date(), onChange: @escaping @Sendable (ReadinessReport) -> Void = { _ in }
    ) {
        self.logger = logger
        self.onChange = onChange
        startedAt = now.millisecondsSince1970
    }

    /// Reports what the state of `dependency` means for this process: a failure is `.degraded` if the process can serve without the dependency,
    /// otherwise `.unavailable`.
    package func report(_ dependency: String, _ status: ReadinessStatus, reason: String) {
        let entry = ReadinessReport.Dependency(name: dependency, status: status, reason: reason)
        let previous = state.withLockedValue { state -> ReadinessReport.Dependency? in
            guard let index = state.dependencies.firstIndex(where: { $0.name == dependency }) else {
                state.dependencies.append(entry)
                return nil
            }
            defer { state.dependencies[index] = entry }
            return state.dependencies[index]
        }
        if previous?.status != status {
            logger.notice(
                "\(dependency) is \(status.rawValue)",
                metadata: ["dependency": "\(dependency)", "reason": "\(reason)"])
        } else if status == .ready || previous?.reason == reason {
            return
        }
        onChange(readiness)
    }

    /// Withdraws the report about a dependency that has been removed; does nothing if there is none.
    package func withdraw(_ dependency: String) {
        let isNews = state.withLockedValue { state in
            guard let index = state.dependencies.firstIndex(where: { $0.name == dependency }) else { return false }
            state.dependencies.remove(at: index)
            return true
        }
        guard isNews else { return }
        logger.notice("\(dependency) has been removed", metadata: ["dependency": "\(dependency)"])
        onChange(readiness)
    }

    /// Marks the process as stopping and therefore unavailable (operations.md).
    package func beginStopping() { state.withLockedValue { $0.isStopping = true } }

    /// The worst status of all dependencies, and the status of each.
    package var readiness: ReadinessReport {
        state.withLockedValue { state in
            var dependencies = state.dependencies
            if state.isStopping {
                dependencies.append(.init(name: "process", status: .unavailable, reason: "it is stopping"))
            }
            return ReadinessReport(status: Self.worst(dependencies.map(\.status)), dependencies: dependencies)
        }
    }

    private static func worst(_ statuses: [ReadinessStatus]) -> ReadinessStatus {
        if statuses.contains(.unavailable) { return .unavailable }
        return statuses.contains(.degraded) ? .degraded : .ready
    }
}

extension RPCRouter {
    /// Answers `HealthCheck` with the current readiness.
    package mutating func answerHealthChecks(of service: ServiceName, from health: HealthReporter) {
        handle(HealthCheck.self) { _, _ in
            HealthCheck.Result(service: service, version: SuiteVersion.text, readiness: health.readiness)
        }
    }
}

extension ReadStatus.Result {
    /// The part of the status that is the same for every service; the caller adds the service's own figures.
    package init(of service: ServiceName, _ health: HealthReporter, _ readiness: ReadinessReport) {
        self.init(
            service: service, version: SuiteVersion.text, pid: getpid(), startedAt: health.startedAt,
            readiness: readiness)
    }
}

extension ReadinessReport {
    /// The dependencies that are not ready, each with the reason.
    package var troubles: [String] {
        (dependencies ?? []).filter { $0.status != .ready }.map { "\($0.name): \($0.reason)" }
    }

    /// The report in one line: the status, and the reason for each dependency that is not ready.
    package var summary: String {
        troubles.isEmpty ? status.rawValue : "\(status.rawValue) (\(troubles.joined(separator: "; ")))"
    }
}

extension MetricRegistry {
    /// Declares the metrics of the last reported readiness.
    package func declareHealth(_ health: HealthReporter) {
        families("bookstrack_ready", "bookstrack_dependency_status") {
            let report = health.readiness
            return [
                MetricFamily(
                    .gauge, "bookstrack_ready", help: "Whether the process is ready, even if degraded: 1 or 0.",
                    value: report.status == .unavailable ? 0 : 1),
                Self.dependencies(of: report),
            ]
        }
    }

    private static func dependencies(of report: ReadinessReport) -> MetricFamily {
        let statuses: [ReadinessStatus] = [.ready, .degraded, .unavailable]
        let samples = (report.dependencies ?? []).flatMap { dependency in
            statuses.map { status in
                (
                    labels: [
                        Sample.Label("dependency", dependency.name), Sample.Label("status", status.rawValue),
                    ],
                    value: dependency.status == status ? 1.0 : 0.0
                )
            }
        }
        return MetricFamily(
            .gauge, "bookstrack_dependency_status",
            help: "1 for the current status of a dependency, 0 for the others.", samples)
    }
}
