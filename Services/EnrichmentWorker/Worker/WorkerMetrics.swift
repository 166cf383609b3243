import BookMetadata
import BookstrackContract
import Observability
import ServiceKit
import SuiteMethods

/// The events that enrichment-worker counts. Metrics that are read from other parts of the worker are declared in `ProviderReadings.swift`.
struct WorkerMetrics: Sendable {
    private let lookups: Labeled<LabelPair<WorkClass, LookupOutcome>, Histogram>
    private let cache: Labeled<LabelPair<QuestionLabel, CacheFinding>, Counter>
    private let covers: Labeled<CoverOutcome, Counter>
    let readings: ReadingMetrics
    let scans: ScanMetrics
    private let reports: Labeled<ReportReceipt.Lookup, Counter>
    private let engines: Labeled<LabelPair<EngineName, EngineOutcome>, Counter>

    init(_ registry: MetricRegistry) {
        lookups = registry.histograms(
            "bookstrack_lookup_duration_seconds", help: "Duration of an item's lookup, by class and outcome.",
            by: LabelPair<WorkClass, LookupOutcome>.self, .longDurations)
        cache = registry.counters(
            "bookstrack_provider_cache_requests_total", help: "Provider queries, by kind and cache lookup result.",
            by: LabelPair<QuestionLabel, CacheFinding>.self)
        covers = registry.counters(
            "bookstrack_cover_fetches_total", help: "Requested covers, by outcome.", by: CoverOutcome.self)
        readings = ReadingMetrics(registry)
        scans = ScanMetrics(registry)
        engines = registry.counters(
            "bookstrack_engine_questions_total",
            help: "Questions to AI engines, by engine and outcome; a photo and its halves count once.",
            by: LabelPair<EngineName, EngineOutcome>.self)
        reports = registry.counters(
            "bookstrack_metadata_reports_total", help: "Reports of missing metadata, by resulting lookup.",
            by: ReportReceipt.Lookup.self)
        reports.showAll()
        cache.showAll()
        covers.showAll()
        engines.showAll()
    }

    func lookup(of workClass: WorkClass, _ outcome: LookupOutcome, took time: Duration) {
        lookups[LabelPair(workClass, outcome)].observe(time)
    }

    func cacheAsked(_ question: Question, found answer: CachedAnswer?) {
        cache[LabelPair(question.kind.label, CacheFinding(answer))].add()
    }

    func cover(_ outcome: CoverOutcome) { covers[outcome].add() }

    func reported(_ lookup: ReportReceipt.Lookup) { reports[lookup].add() }

    func engine(_ name: EngineName, _ outcome: EngineOutcome) { engines[LabelPair(name, outcome)].add() }
}

/// The outcome of an item's lookup.
enum LookupOutcome: String, MetricLabel {
    case found
    /// Every provider that matters for the outcome answered, and none has the book.
    case missing
    /// There is nothing to look up.
    case invalid
    /// A provider that matters for the outcome gave no answer.
    case unanswered
    /// Returned to the host, because our own queue is long.
    case released
    /// The lookup was cancelled: the host no longer accepts the item, or the worker is stopping.
    case withdrawn

    static let labelName = "outcome"
}

/// The result of a cache lookup.
enum CacheFinding: String, MetricLabel {
    case hit
    /// An expired answer.
    case stale
    case miss

    static let labelName = "result"

    init(_ answer: CachedAnswer?) {
        guard let answer else {
            self = .miss
            return
        }
        self = answer.isFresh ? .hit : .stale
    }
}

extension QuestionLabel: MetricLabel {
    package static var labelName: String { "kind" }
}

/// The outcome of a cover request.
enum CoverOutcome: String, MetricLabel {
    /// Fetched, or already stored.
    case served
    case missing
    case refused
    /// The maximum number of covers was already being fetched.
    case busy
    case failed

    static let labelName = "outcome"

    init(_ failure: CoverFailure) {
        switch failure {
        case .refused: self = .refused
        case .missing: self = .missing
        case .busy: self = .busy
        case .noPicture, .call, .notKept: self = .failed
        }
    }
}

extension ReportReceipt.Lookup: MetricLabel {
    package static var labelName: String { "lookup" }
}

extension WorkClass: MetricLabel {
    static var labelName: String { "class" }
}
