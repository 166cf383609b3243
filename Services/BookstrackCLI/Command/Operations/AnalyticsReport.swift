import BookstrackContract
import Foundation
import SuiteMethods

/// Formats the quality figures of enrichment.
struct AnalyticsReport {
    /// The rows, newest day first.
    let days: [AnalyticsDay]

    /// The figures as JSON: sums and ratios over all days, and the days.
    struct Document: Encodable {
        struct Ratios: Encodable {
            var match: Double?
            var cover: Double?
            var authorKnown: Double?
            var meanQuality: Double?

            init(_ counts: QualityCounts) {
                match = counts.matchRatio
                cover = counts.coverRatio
                authorKnown = counts.authorKnownRatio
                meanQuality = counts.meanQuality
            }
        }

        var counts: QualityCounts
        var ratios: Ratios
        var providers: [ProviderCounts]
        var days: [AnalyticsDay]
    }

    var document: Document {
        Document(counts: total, ratios: .init(total), providers: providers, days: days)
    }

    /// The targets, the providers, and the days.
    func lines(_ style: OutputStyle) -> [String] {
        guard !days.isEmpty else { return ["No results in this period."] }
        return [targets, providerTable, dayTable].map { $0.lines(style) }.joined(separator: [""]).map(\.self)
    }

    private var total: QualityCounts { days.reduce(into: QualityCounts()) { $0 += $1.counts } }

    private var providers: [ProviderCounts] {
        MeasuredProvider.allCases.compactMap { provider in
            let ofProvider = days.flatMap(\.providers).filter { $0.provider == provider }
            guard !ofProvider.isEmpty else { return nil }
            return ofProvider.reduce(into: ProviderCounts(provider)) { $0 += $1 }
        }
    }

    /// The quality targets of the API contract (metadata.md "Quality").
    private var targets: TextTable {
        let counts = total
        return TextTable(
            columns: [.init("Measure"), .init("Value", .figure), .init("Target", .figure), .init("Of", .figure)],
            rows: [
                row("ISBNs with a book", counts.matchRatio.map { $0 * 100 }, 95, "%", "\(counts.isbns) ISBNs"),
                row("Books with a cover", counts.coverRatio.map { $0 * 100 }, 80, "%", "\(counts.found) books"),
                row(
                    "Authors with known background", counts.authorKnownRatio.map { $0 * 100 }, 70, "%",
                    "\(counts.authors) authors"),
                row("Mean quality", counts.meanQuality, 60, "", "\(counts.found) books"),
            ])
    }

    private func row(
        _ name: String, _ value: Double?, _ target: Double, _ unit: String, _ base: String
    ) -> [TextTable.Cell] {
        let suffix = unit.isEmpty ? "" : " \(unit)"
        return [
            .init(name), .init(value.map { Self.text($0) + suffix } ?? "-", meaning(value, target)),
            .init("> \(Int(target))\(suffix)"), .init(base),
        ]
    }

    private func meaning(_ value: Double?, _ target: Double) -> OutputMeaning {
        value.map { $0 > target ? .ok : .warning } ?? .plain
    }

    private static func text(_ value: Double) -> String { String(format: "%.1f", value) }

    /// A row per provider: how often it was asked and answered, and for each field, the number of results in which the field comes from it.
    private var providerTable: TextTable {
        TextTable(
            columns: [.init("Provider"), .init("Asked", .figure), .init("Answered", .figure)]
                + BookField.allCases.map { .init($0.title, .figure, least: 5) },
            rows: providers.map(Self.figures))
    }

    private var dayTable: TextTable {
        func share(_ ratio: Double?) -> String { ratio.map { Self.text($0 * 100) + " %" } ?? "-" }
        return TextTable(
            columns: [
                .init("Day"), .init("Pipeline"), .init("Books", .figure), .init("Found", .figure),
                .init("Match", .figure), .init("Cover", .figure), .init("Author", .figure),
                .init("Quality", .figure),
            ],
            rows: days.map { day in
                [
                    day.day, day.pipeline.rawValue, "\(day.counts.books)", "\(day.counts.found)",
                    share(day.counts.matchRatio), share(day.counts.coverRatio), share(day.counts.authorKnownRatio),
                    day.counts.meanQuality.map(Self.text) ?? "-",
                ]
            })
    }

    /// For each day and pipeline, a row for the results as a whole, which names no provider, and a row per provider.
    var csv: TextTable {
        TextTable(
            columns: (Self.identityKeys + Self.figureKeys + Self.providerKeys).map { .init($0) },
            rows: days.flatMap { day in
                let identity = [day.day, day.pipeline.rawValue]
                let own: [String] = identity + Self.figures(day.counts) + Self.providerKeys.map { _ in "" }
                let ofProviders: [[String]] = day.providers.map { provider in
                    identity + Self.figureKeys.map { _ in "" } + Self.figures(provider)
                }
                return [own] + ofProviders
            })
    }

    private static let identityKeys = ["day", "pipeline"]
    private static let figureKeys = [
        "books", "found", "isbns", "isbns_found", "covers", "authors", "known_authors", "quality",
    ]
    private static let providerKeys =
        ["provider", "asked", "answered"] + BookField.allCases.map { "used_\($0.rawValue)" }

    private static func figures(_ counts: QualityCounts) -> [String] {
        [
            counts.books, counts.found, counts.isbns, counts.isbnsFound, counts.covers, counts.authors,
            counts.knownAuthors, counts.quality,
        ].map { "\($0)" }
    }

    private static func figures(_ provider: ProviderCounts) -> [String] {
        let figures: [Int] = [provider.asked, provider.answered] + BookField.allCases.map { provider[$0] }
        return [provider.provider.rawValue] + figures.map { "\($0)" }
    }
}

extension BookField {
    /// The title of the field's column.
    fileprivate var title: String {
        switch self {
        case .publicationDate: "Date"
        case .pageCount: "Pages"
        case .title, .authors, .cover, .description, .subjects, .publisher, .language: rawValue.capitalized
        }
    }
}

/// Formats the ISBNs that failed or were reported by readers.
struct FailingReport {
    let answer: ReadFailingISBNs.Result
    /// The current time, in milliseconds since 1970.
    let now: Int64

    func lines(_ style: OutputStyle) -> [String] {
        guard !answer.isbns.isEmpty else { return ["No ISBNs failed, and none were reported."] }
        let rest = answer.total - answer.isbns.count
        let table = TextTable(
            columns: [
                .init("ISBN"), .init("Failed", .figure), .init("Last reason"), .init("Last"), .init("Reports", .figure),
                .init("Missing", .prose, least: 12), .init("Note", .text, least: 12),
            ],
            rows: answer.isbns.map { isbn in
                let latest = max(isbn.lastFailedAt ?? 0, isbn.reportedAt ?? 0)
                return [
                    isbn.isbn, "\(isbn.attempts)", isbn.code?.rawValue ?? "",
                    TimeSpanText.roughly(milliseconds: now - Int64(latest) * 1_000) + " ago", "\(isbn.reports)",
                    isbn.fields.map(\.rawValue).joined(separator: ", "), isbn.note ?? "",
                ]
            })
        return table.lines(style)
            + (rest > 0 ? ["", rest == 1 ? "1 older one is not shown." : "\(rest) older ones are not shown."] : [])
    }

    /// The ISBNs as CSV, with times in ISO 8601 format.
    var csv: TextTable {
        func time(_ seconds: Int?) -> String {
            seconds.map { ISO8601Milliseconds.string(fromMilliseconds: Int64($0) * 1_000) } ?? ""
        }
        return TextTable(
            columns: [
                .init("isbn"), .init("attempts"), .init("code"), .init("first_failed_at"), .init("last_failed_at"),
                .init("reports"), .init("fields"), .init("note"), .init("reported_at"),
            ],
            rows: answer.isbns.map { isbn in
                [
                    isbn.isbn, "\(isbn.attempts)", isbn.code?.rawValue ?? "", time(isbn.firstFailedAt),
                    time(isbn.lastFailedAt), "\(isbn.reports)", isbn.fields.map(\.rawValue).joined(separator: " "),
                    isbn.note ?? "", time(isbn.reportedAt),
                ]
            })
    }
}
