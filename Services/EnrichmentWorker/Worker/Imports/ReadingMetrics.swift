import BookstrackContract
import Observability

/// Metrics about reading library files.
struct ReadingMetrics: Sendable {
    private let files: Labeled<LabelPair<ReadingOutcome, LibraryFormat>, Counter>
    private let rows: Labeled<RowOutcomeLabel, Counter>
    private let bytes: Counter
    private let durations: Labeled<ReadingOutcome, Histogram>

    init(_ registry: MetricRegistry) {
        files = registry.counters(
            "bookstrack_files_read_total",
            help: "Reading steps, by outcome and file format; the format is unknown unless the step finished.",
            by: LabelPair<ReadingOutcome, LibraryFormat>.self)
        rows = registry.counters(
            "bookstrack_file_rows_total", help: "Rows read from files, by outcome.", by: RowOutcomeLabel.self)
        bytes = registry.counter("bookstrack_file_bytes_total", help: "Size of the files that were read to the end.")
        durations = registry.histograms(
            "bookstrack_file_reading_duration_seconds",
            help: "Duration of a reading step, from claim to confirmed end, by outcome.", by: ReadingOutcome.self,
            .longDurations)
        for outcome in ReadingOutcome.allCases { _ = files[LabelPair(outcome, .unknown)] }
        rows.showAll()
        durations.showAll()
    }

    /// Counts a reading step that has ended.
    func ended(_ ending: ReadingEnding, bytes size: Int, after time: Duration) {
        let outcome = ReadingOutcome(ending)
        durations[outcome].observe(time)
        guard case .finished(let summary) = ending else { return files[LabelPair(outcome, .unknown)].add() }
        files[LabelPair(outcome, summary.source.format)].add()
        bytes.add(size)
        rows[.book].add(summary.booksCreated)
        rows[.duplicate].add(summary.duplicatesSkipped)
        rows[.error].add(summary.errorCount)
        rows[.skipped].add(summary.skippedRows)
    }
}

/// The outcome of a reading step.
enum ReadingOutcome: String, MetricLabel {
    case finished
    /// The file cannot be read as a list of books.
    case unusable
    /// The file has too many rows.
    case tooManyRows = "too_many_rows"
    /// A fault of the suite or the disk.
    case failed
    /// progress-host no longer accepts the step, or the connection was lost.
    case dropped
    /// Returned, because the worker is stopping.
    case released

    static let labelName = "outcome"

    init(_ ending: ReadingEnding) {
        self =
            switch ending {
            case .finished: .finished
            case .failed(let fault):
                switch fault.code {
                case .csvParseError: .unusable
                case .batchTooLarge: .tooManyRows
                case .processingFailed: .failed
                }
            case .dropped: .dropped
            case .released: .released
            }
    }
}

/// The outcome of a row in a file.
enum RowOutcomeLabel: String, MetricLabel {
    case book
    /// The row was merged into the book of an earlier row.
    case duplicate
    case error
    /// The row is not about a book.
    case skipped

    static let labelName = "outcome"
}

extension LibraryFormat: MetricLabel {
    static var labelName: String { "format" }
}
