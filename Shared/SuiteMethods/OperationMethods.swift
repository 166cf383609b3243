package import BookstrackContract
package import JSONRPC
package import Observability

/// Reads the health of a process, with a reason per dependency. Answered by every service (http-api.md "Readiness").
package enum HealthCheck: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.health"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(2)

    package struct Result: Codable, Sendable {
        /// The responding service.
        package var service: ServiceName
        /// Version of the program.
        package var version: String
        /// Whether the service can serve requests, and the state of its dependencies.
        package var readiness: ReadinessReport
        /// Whether an engine for photos is available; sent only by enrichment-worker.
        package var photos: PhotoReadiness?

        package init(service: ServiceName, version: String, readiness: ReadinessReport) {
            self.service = service
            self.version = version
            self.readiness = readiness
        }
    }
}

/// Availability of engines for photos.
package enum PhotoReadiness: String, Codable, Sendable, CaseIterable {
    case available
    /// No engine is configured, or none can currently be called.
    case unavailable
    /// The daily budget or an engine's own quota is used up.
    case quotaExhausted
}

/// Reads the current metrics of a process (metrics.md). Answered by every service.
package enum ReadMetrics: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.metrics"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(2)

    package struct Result: Codable, Sendable {
        /// The responding service.
        package var service: ServiceName
        /// The metrics without the labels `service` and `worker`, which are added when the metrics of several processes are merged.
        package var families: [MetricFamily]

        package init(service: ServiceName, families: [MetricFamily]) {
            self.service = service
            self.families = families
        }
    }
}

/// Reads the settings with which a process runs (`bookstrack config`, `bookstrack doctor`). Answered by every service. Secrets stay in the process:
/// the value reported for a secret only indicates whether it is set.
package enum ReadSettings: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.settings"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(4)

    package struct Result: Codable, Sendable {
        /// The responding service.
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
        /// Reported instead of the value of a secret that is set.
        package static let secretIsSet = "set"
        package static let secretIsNotSet = "not set"

        /// Source of an address assigned by the service manager.
        package static let serviceManager = "socket unit of the service manager"
        /// Source of an address taken over with `BOOKSTRACK_TAKE_OVER`.
        package static let predecessor = "previous api-proxy"

        /// Name of the environment variable.
        package var name: String
        /// The effective value in the variable's format; for a secret, "set" or "not set". Empty if there is none.
        package var value: String
        /// The source of the value for display, such as "environment", "default" or a file's path.
        package var source: String
        /// Whether the value is the default.
        package var isDefault: Bool

        package init(name: String, value: String, source: String, isDefault: Bool) {
            self.name = name
            self.value = value
            self.source = source
            self.isDefault = isDefault
        }
    }
}

/// Checks whether every provider is reachable (`bookstrack doctor`). Each receives one request without a key, for its base URL or, if it has one, for
/// its health path; the request bypasses budget and breaker. Answered by enrichment-worker, which has the HTTP client. Concurrent callers share one
/// round of requests.
package enum ProbeProviders: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "providers.probe"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(15)

    package struct Result: Codable, Sendable, Equatable {
        /// The providers, in a fixed order, without optional servers whose socket file does not exist.
        package var providers: [Probe]

        package init(providers: [Probe]) { self.providers = providers }
    }

    /// The outcome of one check.
    package struct Probe: Codable, Sendable, Equatable {
        /// Name of the provider, as in metrics.
        package var provider: String
        /// The requested URL, or the path of the provider's Unix socket.
        package var address: String
        /// Time from the request to the response or the failure.
        package var milliseconds: Int
        /// The HTTP status; any status counts as reachable. Nil if there was no response.
        package var status: Int?
        /// Why there was no response, in words; nil if there was one.
        package var failure: String?
        /// Kind of connection failure: dns, unreachable, tls, proxy or connection; nil for other failures.
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
