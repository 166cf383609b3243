import Observability
import SuiteMethods

/// What enrichment-worker counts itself; what other parts know anyway is declared beside it (`MetricRegistry+Worker`).
struct WorkerMetrics: Sendable {
    private let lookups: Labelled<LabelPair<WorkClass, LookupFate>, Histogram>
    private let cache: Labelled<LabelPair<QuestionLabel, CacheFinding>, Counter>
    private let covers: Labelled<CoverFate, Counter>

    init(_ registry: MetricRegistry) {
        lookups = registry.histograms(
            "bookstrack_lookup_duration_seconds", help: "Time of an item's look-up, by class and outcome.",
            by: LabelPair<WorkClass, LookupFate>.self, .patience)
        cache = registry.counters(
            "bookstrack_provider_cache_requests_total", help: "Questions by what the cache of providers' answers had.",
            by: LabelPair<QuestionLabel, CacheFinding>.self)
        covers = registry.counters(
            "bookstrack_cover_fetches_total", help: "Covers that were asked for, by outcome.", by: CoverFate.self)
        cache.showAll()
        covers.showAll()
    }

    func lookup(of workClass: WorkClass, _ fate: LookupFate, took time: Duration) {
        lookups[LabelPair(workClass, fate)].observe(time)
    }

    func cacheAsked(_ question: Question, found answer: CachedAnswer?) {
        cache[LabelPair(QuestionLabel(question), CacheFinding(answer))].add()
    }

    func cover(_ fate: CoverFate) { covers[fate].add() }
}
