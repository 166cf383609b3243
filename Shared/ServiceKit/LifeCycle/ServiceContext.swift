package import Logging

/// What a service is built from.
package struct ServiceContext: Sendable {
    package let settings: Settings
    package let directories: SuiteDirectories
    package let logger: Logger
    package let health: HealthReporter
}
