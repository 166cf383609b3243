import Observability
import SuiteMethods

extension MetricRegistry {
    /// Declares how many sockets are open and may be.
    func declare(_ census: SocketCensus, limit: Int) {
        gauge("bookstrack_sockets_open", help: "WebSockets that are open or being opened.") { Double(census.total) }
        gauge("bookstrack_sockets_limit", help: "WebSockets that may be open (BOOKSTRACK_MAX_SOCKETS).") {
            Double(limit)
        }
    }

    /// Declares how searches were answered from memory.
    func declare(_ searches: SearchLink) {
        families(
            "bookstrack_answer_cache_requests_total", "bookstrack_answer_cache_entries",
            "bookstrack_answer_cache_bytes",
            "bookstrack_answer_cache_limit_bytes", "bookstrack_searches_in_flight"
        ) {
            let cache = searches.statistics
            let results = [("hit", cache.hits), ("stale", cache.staleHits), ("miss", cache.misses)]
            return [
                MetricFamily(
                    .counter, "bookstrack_answer_cache_requests_total",
                    help: "Searches by what the memory of finished answers had for them.",
                    results.map { (labels: [Sample.Label("result", $0.0)], value: Double($0.1)) }),
                MetricFamily(
                    .gauge, "bookstrack_answer_cache_entries", help: "Finished answers in memory.",
                    value: Double(cache.entries)),
                MetricFamily(
                    .gauge, "bookstrack_answer_cache_bytes", help: "Bytes of finished answers in memory.",
                    value: Double(cache.bytes)),
                MetricFamily(
                    .gauge, "bookstrack_answer_cache_limit_bytes",
                    help: "Bytes that finished answers may have in memory.",
                    value: Double(cache.limit)),
                MetricFamily(
                    .gauge, "bookstrack_searches_in_flight", help: "Searches that enrichment-worker is asked now.",
                    value: Double(searches.questionsInFlight)),
            ]
        }
    }
}
