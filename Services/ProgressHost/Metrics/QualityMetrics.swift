import BookstrackContract
import NIOConcurrencyHelpers
import Observability
import SuiteMethods

/// Metrics of the quality of results (metadata.md "Quality").
struct QualityMetrics: Sendable {
    private let used: Labeled<LabelPair<MeasuredProvider, BookField>, Counter>
    private let recent = NIOLockedValueBox(QualityCounts())

    init(_ registry: MetricRegistry) {
        used = registry.counters(
            "bookstrack_answers_used_total", help: "Result fields, by the provider that supplied them.",
            by: LabelPair<MeasuredProvider, BookField>.self)
        let recent = recent
        func gauge(_ name: MetricName, _ help: String, _ value: @escaping @Sendable (QualityCounts) -> Double?) {
            registry.gauge(name, help: "\(help) Based on ended jobs accepted today or yesterday (UTC).") {
                value(recent.withLockedValue { $0 })
            }
        }
        gauge("bookstrack_quality_books", "Books that were looked up.") { Double($0.books) }
        gauge("bookstrack_match_ratio", "Fraction of ISBNs for which a book was found.", \.matchRatio)
        gauge("bookstrack_cover_ratio", "Fraction of found books with a cover.", \.coverRatio)
        gauge("bookstrack_author_known_ratio", "Fraction of authors with a known background.", \.authorKnownRatio)
        gauge("bookstrack_quality_mean", "Mean quality of found books, from 0 to 100.", \.meanQuality)
        used.showAll()
    }

    /// Counts the result fields that a committed group has added. If replaced results leave a provider with fewer fields, nothing is subtracted,
    /// because counters never decrease.
    func count(_ rollups: QualityRollups) {
        for sums in rollups.added.values {
            for provider in MeasuredProvider.allCases where !sums[provider].isEmpty {
                for field in BookField.allCases where sums[provider][field] > 0 {
                    used[LabelPair(provider, field)].add(sums[provider][field])
                }
            }
        }
    }

    func show(_ rollups: QualityRollups) {
        let sums = rollups.recent
        recent.withLockedValue { $0 = sums }
    }
}

extension MeasuredProvider: MetricLabel {
    static var labelName: String { "provider" }
}

extension BookField: MetricLabel {
    static var labelName: String { "field" }
}
