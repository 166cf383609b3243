import BookstrackContract
import Observability
import SuiteMethods

/// Metrics about reading photos.
struct ScanMetrics: Sendable {
    private let photos: Labeled<PhotoOutcome, Histogram>
    private let spines: Counter

    init(_ registry: MetricRegistry) {
        photos = registry.histograms(
            "bookstrack_photo_reading_duration_seconds",
            help: "Time to read a photo, including every engine that was tried, by outcome.",
            by: PhotoOutcome.self, .longDurations)
        spines = registry.counter("bookstrack_spines_read_total", help: "Spines that engines have read in photos.")
        photos.showAll()
    }

    /// Counts the outcome of a photo.
    func read(_ outcome: RecordPhoto.Parameters, after time: Duration) {
        photos[outcome.reading == nil ? .failed : outcome.reading?.spines.isEmpty == true ? .empty : .read].observe(
            time)
        spines.add(outcome.reading?.spines.count ?? 0)
    }
}

/// The outcome of a photo.
enum PhotoOutcome: String, MetricLabel {
    case read
    /// No book was found in the photo.
    case empty
    case failed

    static let labelName = "outcome"
}
