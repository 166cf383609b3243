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
    package let metrics: MetricRegistry
    /// Each service announces its sockets here while it is built, and says when they listen.
    package let listeners: Listeners
    /// What has to make progress for the process to be alive.
    package let liveness: Liveness
    /// Sockets that were opened for this process by whoever started it.
    package let passedSockets: PassedSockets
}
