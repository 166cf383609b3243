package import BookstrackContract
package import JSONRPC

/// The current figures of a service (`bookstrack status`). Answered by every service, from memory and without a scan of
/// any table, so that it may be asked every second.
package enum ReadStatus: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.status"
    package static let isIdempotent = true
    /// Longer than that of ``HealthCheck``, which api-proxy calls on its peers.
    package static let deadline = Duration.seconds(4)

    package struct Result: Codable, Sendable {
        /// The service that answers.
        package var service: ServiceName
        /// Version of its program.
        package var version: String
        /// Its process identifier, in its own namespace.
        package var pid: Int32
        /// Milliseconds since 1970.
        package var startedAt: Int64
        /// Whether it can serve, and the state of its dependencies.
        package var readiness: ReadinessReport
        /// Figures of progress-host; nil from others, and while its database cannot be opened.
        package var host: HostFigures?
        /// Figures of enrichment-worker.
        package var worker: WorkerFigures?
        /// Figures of api-proxy.
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
    /// Open sockets of clients.
    package var sockets: QueueFigure
    /// Finished answers in memory.
    package var cache: CacheFigure

    package init(sockets: QueueFigure, cache: CacheFigure) {
        self.sockets = sockets
        self.cache = cache
    }
}

/// Length and maximum of a queue.
package struct QueueFigure: Codable, Sendable, Equatable {
    /// Current length.
    package var length: Int
    /// Maximum length; the effect of reaching it depends on the queue.
    package var limit: Int

    package init(length: Int, limit: Int) {
        self.length = length
        self.limit = limit
    }
}

/// Size of a cache, and its hits and misses since its process started. ``ReadCacheStatistics`` also has the number of
/// entries, which it counts.
package struct CacheFigure: Codable, Sendable, Equatable {
    /// Size of the entries.
    package var bytes: Int
    /// Maximum of `bytes`.
    package var limit: Int
    /// Questions that a fresh entry answered.
    package var hits: Int
    /// Questions that an expired entry answered.
    package var staleHits: Int
    /// Questions that no entry answered.
    package var misses: Int

    package init(bytes: Int, limit: Int, hits: Int, staleHits: Int, misses: Int) {
        self.bytes = bytes
        self.limit = limit
        self.hits = hits
        self.staleHits = staleHits
        self.misses = misses
    }
}
