import BookstrackContract
package import Observability

extension MetricRegistry {
    /// Declares what `health` was last told.
    package func declareHealth(_ health: HealthReporter) {
        families("bookstrack_ready", "bookstrack_dependency_status") {
            let report = health.readiness
            return [
                MetricFamily(
                    .gauge, "bookstrack_ready", help: "Whether the process serves, if perhaps degraded: 1 or 0.",
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
            help: "1 for the status that something the process needs is in, 0 for the others.", samples)
    }
}
