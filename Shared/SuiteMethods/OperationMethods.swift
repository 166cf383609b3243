package import BookstrackContract
package import JSONRPC
package import Observability

/// The health of a process, with a reason per dependency. Answered by every service (http-api.md "Readiness").
package enum HealthCheck: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.health"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(2)

    package struct Result: Codable, Sendable {
        /// The service that answers.
        package var service: ServiceName
        /// Version of its program.
        package var version: String
        /// Whether it can serve, and the state of its dependencies.
        package var readiness: ReadinessReport
        /// Whether an engine reads photos; from enrichment-worker.
        package var photos: PhotoReadiness?

        package init(service: ServiceName, version: String, readiness: ReadinessReport) {
            self.service = service
            self.version = version
            self.readiness = readiness
        }
    }
}

/// Whether a worker can have photos read.
package enum PhotoReadiness: String, Codable, Sendable, CaseIterable {
    case available
    /// No engine is configured, or none can be reached.
    case unavailable
    /// The requests of the day are used up.
    case quotaExhausted
}

/// The current metrics of a process (metrics.md). Answered by every service.
package enum ReadMetrics: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.metrics"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(2)

    package struct Result: Codable, Sendable {
        /// The service that answers.
        package var service: ServiceName
        /// Without the labels `service` and `worker`, which are added when several processes are merged.
        package var families: [MetricFamily]

        package init(service: ServiceName, families: [MetricFamily]) {
            self.service = service
            self.families = families
        }
    }
}

/// The settings that a process runs with (`bookstrack config`, `bookstrack doctor`). Answered by every service. Secrets stay in the process:
/// their value only says whether they are set.
package enum ReadSettings: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.settings"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(4)

    package struct Result: Codable, Sendable {
        /// The service that answers.
        package var service: ServiceName
        /// When the process was started, in milliseconds since 1970.
        package var startedAt: Int64
        /// Every setting, in the order of `bookstrack config`.
        package var settings: [Setting]

        package init(service: ServiceName, startedAt: Int64, settings: [Setting]) {
            self.service = service
            self.startedAt = startedAt
            self.settings = settings
        }
    }

    /// The effective value of one setting.
    package struct Setting: Codable, Sendable, Equatable {
        /// Replaces a secret's value.
        package static let secretIsSet = "set"
        package static let secretIsNotSet = "not set"

        /// Source of an address that the service manager has chosen.
        package static let serviceManager = "socket unit of the service manager"

        /// Name of the environment variable.
        package var name: String
        /// The effective value in the form that the variable takes; for a secret, "set" or "not set". Empty if there is none.
        package var value: String
        /// The layer that it comes from, for people: "environment", "default", a file's path.
        package var source: String
        /// Whether no layer has a value.
        package var isDefault: Bool

        package init(name: String, value: String, source: String, isDefault: Bool) {
            self.name = name
            self.value = value
            self.source = source
            self.isDefault = isDefault
        }
    }
}

/// Checks whether every provider's base address can be reached, with one request each that bypasses budget and breaker
/// and carries no key (`bookstrack doctor`). Answered by enrichment-worker, which has the HTTP client; callers at the
/// same time share one round.
package enum ProbeProviders: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "providers.probe"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(15)

    package struct Result: Codable, Sendable, Equatable {
        /// In the order in which the worker asks them.
        package var providers: [Probe]

        package init(providers: [Probe]) { self.providers = providers }
    }

    /// The outcome for one provider.
    package struct Probe: Codable, Sendable, Equatable {
        /// Name of the provider, as in metrics.
        package var provider: String
        /// The requested address.
        package var address: String
        /// Time from the request to the answer or the failure.
        package var milliseconds: Int
        /// The HTTP status; any status counts as an answer. Nil if there was no answer.
        package var status: Int?
        /// Why there was no answer, in words.
        package var failure: String?
        /// What was wrong with the connection: dns, unreachable, tls, proxy or connection; nil for other failures.
        package var cause: String?

        package init(provider: String, address: String, milliseconds: Int, status: Int?, failure: String?) {
            self.provider = provider
            self.address = address
            self.milliseconds = milliseconds
            self.status = status
            self.failure = failure
        }
    }
}
