package import BookstrackContract
import JSONRPC

/// What enrichment was worth, by day (metadata.md "Quality"). Read outside the engine, on a connection that only reads; the number of rows is
/// bounded by the days that are kept.
///
/// Application errors: `SERVICE_UNAVAILABLE`.
package enum QueryAnalytics: RPCMethod {
    package static let name = "analytics.query"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Number of days that are kept.
    package static let daysKept = 400

    package struct Parameters: Codable, Sendable {
        /// Only days that end after this time, milliseconds since 1970; nil for all.
        package var since: Int64?

        package init(since: Int64? = nil) { self.since = since }
    }

    package struct Result: Codable, Sendable, Equatable {
        /// Newest first; of a day, one for each pipeline that has results.
        package var days: [AnalyticsDay]

        package init(days: [AnalyticsDay]) { self.days = days }
    }
}

/// The results of the jobs of one pipeline that were accepted on one day. Facts that are found later count for the same day.
package struct AnalyticsDay: Codable, Sendable, Equatable {
    /// The day in UTC, `2026-11-25`.
    package var day: String
    /// The jobs' kind.
    package var pipeline: Pipeline
    /// Sums over the results.
    package var counts: QualityCounts
    /// The providers that were asked, in a fixed order.
    package var providers: [ProviderCounts]

    package init(day: String, pipeline: Pipeline, counts: QualityCounts, providers: [ProviderCounts]) {
        self.day = day
        self.pipeline = pipeline
        self.counts = counts
        self.providers = providers
    }
}

/// Sums over a provider's part in results.
package struct ProviderCounts: Codable, Sendable, Equatable {
    /// The provider.
    package var provider: MeasuredProvider
    /// Results for which it was asked.
    package var asked = 0
    /// Those for which it answered.
    package var answered = 0
    /// Results that have a field from it, by ``BookField``; fields without any are left out.
    package var used: [String: Int] = [:]

    package init(_ provider: MeasuredProvider) { self.provider = provider }

    package static func += (sums: inout Self, others: Self) {
        sums.asked += others.asked
        sums.answered += others.answered
        sums.used.merge(others.used, uniquingKeysWith: +)
    }

    /// Results that have the field from it.
    package subscript(field: BookField) -> Int {
        get { used[field.rawValue] ?? 0 }
        set { used[field.rawValue] = newValue == 0 ? nil : newValue }
    }
}
