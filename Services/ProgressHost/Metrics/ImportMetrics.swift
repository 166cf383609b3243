import BookstrackContract
import Observability

/// Metrics of imports and of uploaded files, in addition to those of all jobs.
struct ImportMetrics: Sendable {
    private let open: Labeled<ImportState, Gauge>
    private let deleted: Labeled<DeletedUpload, Counter>
    private let lost: Counter
    private let reservations: Counter

    init(_ registry: MetricRegistry) {
        open = registry.gauges(
            "bookstrack_imports_open", help: "Imports that have not ended, by state of their file.",
            by: ImportState.self)
        deleted = registry.counters(
            "bookstrack_uploads_deleted_total",
            help:
                "Deleted files no longer needed (`ended`) and folders that no job needs (`orphaned`), but not photos deleted to make room.",
            by: DeletedUpload.self)
        lost = registry.counter(
            "bookstrack_reading_steps_lost_total",
            help: "Reading attempts (library files and scans) that ended because their worker was lost.")
        reservations = registry.counter(
            "bookstrack_reservations_dropped_total", help: "Imports and scans whose files never arrived.")
        for state in ImportState.allCases { _ = open[state] }
        deleted.showAll()
    }

    func count(_ tally: TurnTally) {
        deleted[.ended].add(tally.uploadsDeleted)
        lost.add(tally.stepsLost)
        reservations.add(tally.reservationsDropped)
    }

    /// Counts deleted folders that no job needed.
    func swept(_ count: Int) { deleted[.orphaned].add(count) }

    func show(_ engine: JobEngine) {
        let counts = engine.readingSteps.counts
        open[.reserved].set(counts.reserved)
        open[.waiting].set(counts.waiting)
        open[.reading].set(counts.reading)
    }
}

/// The state of an open import's file.
enum ImportState: String, MetricLabel {
    /// The file has not arrived.
    case reserved
    /// The file has arrived, but no worker is reading it.
    case waiting
    case reading

    static let labelName = "state"
}

/// Why an uploaded file or folder was deleted.
enum DeletedUpload: String, MetricLabel {
    /// The file is no longer needed, because its import has ended or its scan was cancelled.
    case ended
    /// No job needed the folder.
    case orphaned

    static let labelName = "reason"
}
