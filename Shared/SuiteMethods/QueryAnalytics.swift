package import BookstrackContract
import JSONRPC

/// Reads the quality of enrichment by day (metadata.md "Quality"). The figures are read outside the engine, on a read-only connection; the number of
/// days kept limits the number of rows.
///
/// Application errors: `SERVICE_UNAVAILABLE`.
package enum QueryAnalytics: RPCMethod {
    package static let name = "analytics.query"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Number of days kept.
    package static let daysKept = 400

    package struct Parameters: Codable, Sendable {
        /// Only days that end after this time, in milliseconds since 1970; nil for all.
        package var since: Int64?

        package init(since: Int64? = nil) { self.since = since }
    }

    package struct Result: Codable, Sendable, Equatable {
        /// The rows, newest day first; for each day, one row per pipeline with results.
        package var days: [AnalyticsDay]

        package init(days: [AnalyticsDay]) { self.days = days }
    }
}

/// The results of one pipeline's jobs that were accepted on one day. Facts found later count toward the same day.
package struct AnalyticsDay: Codable, Sendable, Equatable {
    /// The day in UTC, such as `2026-11-25`.
    package var day: String
    /// The kind of jobs.
    package var pipeline: Pipeline
    /// Sums over the results.
    package var counts: QualityCounts
    /// The providers that were queried, in a fixed order.
    package var providers: [ProviderCounts]

    package init(day: String, pipeline: Pipeline, counts: QualityCounts, providers: [ProviderCounts]) {
        self.day = day
        self.pipeline = pipeline
        self.counts = counts
        self.providers = providers
    }
}

/// A provider's contributions to results.
package struct ProviderCounts: Codable, Sendable, Equatable {
    /// The provider.
    package var provider: MeasuredProvider
    /// Number of results for which the provider was queried.
    package var asked = 0
    /// Number of results for which the provider responded.
    package var answered = 0
    /// Number of results with a field from this provider, by ``BookField``; fields without such results are omitted.
    package var used: [String: Int] = [:]

    package init(_ provider: MeasuredProvider) { self.provider = provider }

    package static func += (sums: inout Self, others: Self) {
        sums.asked += others.asked
        sums.answered += others.answered
        sums.used.merge(others.used, uniquingKeysWith: +)
    }

    /// Number of results with the field from this provider.
    package subscript(field: BookField) -> Int {
        get { used[field.rawValue] ?? 0 }
        set { used[field.rawValue] = newValue == 0 ? nil : newValue }
    }
}
