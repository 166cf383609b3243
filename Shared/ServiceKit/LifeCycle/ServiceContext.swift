package import Logging
package import Observability
package import SuiteMethods

/// What a service is built from.
package struct ServiceContext: Sendable {
    /// Which service it is.
    package let service: ServiceName
    /// From command line, environment, file and defaults.
    package let settings: Settings
    /// Where sockets and data are; they exist.
    package let directories: SuiteDirectories
    /// The process's log.
    package let logger: Logger
    /// Told how fit what the service needs is.
    package let health: HealthReporter
    /// What this process does, for those who follow it.
    package let tail: TailHub
    /// What this process measures.
    package let metrics: MetricRegistry
    /// Each service announces its sockets here while it is built, and says when they listen.
    package let listeners: Listeners
    /// What has to make progress for the process to be alive.
    package let liveness: Liveness
    /// Sockets that were opened for this process by whoever started it.
    package let passedSockets: PassedSockets
}
