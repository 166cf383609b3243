package import BookstrackContract
import Foundation
package import SuiteMethods

extension ReadStatus.Result {
    /// What every service says of itself; its figures are to be added.
    package init(of service: ServiceName, _ health: HealthReporter, _ readiness: ReadinessReport) {
        self.init(
            service: service, version: SuiteVersion.text, pid: getpid(), startedAt: health.startedAt,
            readiness: readiness)
    }
}
