package import BookstrackContract
package import JSONRPC

/// Reads the current figures of a service (`bookstrack status`). Answered by every service. The figures are in memory or read without scanning a
/// table, so the method may be called every second.
///
/// Application errors: `SERVICE_UNAVAILABLE`, for example if enrichment-worker cannot use its cache or too many calls are waiting in progress-host.
package enum ReadStatus: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.status"
    package static let isIdempotent = true
    /// The deadline is longer than that of ``HealthCheck``, because api-proxy calls ``HealthCheck`` on its peers before it answers.
    package static let deadline = Duration.seconds(4)

    package struct Result: Codable, Sendable {
        /// The responding service.
        package var service: ServiceName
        /// Version of the program.
        package var version: String
        /// Process identifier, in the process's own namespace.
        package var pid: Int32
        /// When the process started, in milliseconds since 1970.
        package var startedAt: Int64
        /// Whether the service can serve requests, and the state of its dependencies.
        package var readiness: ReadinessReport
        /// Figures of progress-host; nil for other services and while progress-host's database cannot be opened.
        package var host: HostFigures?
        /// Figures of enrichment-worker; nil for other services.
        package var worker: WorkerFigures?
        /// Figures of api-proxy; nil for other services.
        package var proxy: ProxyFigures?

        package init(
            service: ServiceName, version: String, pid: Int32, startedAt: Int64, readiness: ReadinessReport
        ) {
            self.service = service
            self.version = version
            self.pid = pid
            self.startedAt = startedAt
            self.readiness = readiness
        }
    }
}

/// The current figures of api-proxy.
package struct ProxyFigures: Codable, Sendable, Equatable {
    /// Number of open client sockets, including event streams and requests that wait for a job's next event or its end.
    package var sockets: QueueFigure
    /// Cached API responses in memory.
    package var cache: CacheFigure

    package init(sockets: QueueFigure, cache: CacheFigure) {
        self.sockets = sockets
        self.cache = cache
    }
}

/// Current and maximum length of a queue.
package struct QueueFigure: Codable, Sendable, Equatable {
    /// Current length.
    package var length: Int
    /// Maximum length; what happens when it is reached depends on the queue.
    package var limit: Int

    package init(length: Int, limit: Int) {
        self.length = length
        self.limit = limit
    }
}

/// Size of a cache, and its hits and misses since the process started. ``ReadCacheStatistics`` also includes the number of entries, which must be
/// counted.
package struct CacheFigure: Codable, Sendable, Equatable {
    /// Size in bytes, as in ``ReadCacheStatistics``.
    package var bytes: Int
    /// Maximum of `bytes`.
    package var limit: Int
    /// Number of lookups that found a fresh entry.
    package var hits: Int
    /// Number of lookups that found an expired entry; in api-proxy, only those that were answered with it.
    package var staleHits: Int
    /// Number of lookups that found no entry.
    package var misses: Int

    package init(bytes: Int, limit: Int, hits: Int, staleHits: Int, misses: Int) {
        self.bytes = bytes
        self.limit = limit
        self.hits = hits
        self.staleHits = staleHits
        self.misses = misses
    }
}
