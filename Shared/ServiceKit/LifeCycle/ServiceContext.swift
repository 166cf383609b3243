package import Logging
package import Observability
package import SuiteMethods

/// What a service is built from.
package struct ServiceContext: Sendable {
    package let service: ServiceName
    package let settings: Settings
    package let directories: SuiteDirectories
    package let logger: Logger
    package let health: HealthReporter
    /// What this process does, for those who follow it.
    package let tail: TailHub
}
