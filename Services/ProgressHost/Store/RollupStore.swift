import BookstrackContract
import GRDB
import SuiteMethods

/// SQL statements on rollups (metadata.md "Quality").
struct RollupStore {
    let db: Database

    /// Adds to the row for a day and pipeline, and to the providers' rows.
    func add(_ sums: RollupSums, to key: RollupKey) throws {
        let counts = sums.counts
        try db.cachedStatement(sql: Self.addQuality).execute(arguments: [
            key.day, key.pipeline.rawValue, counts.books, counts.found, counts.isbns, counts.isbnsFound, counts.covers,
            counts.authors, counts.knownAuthors, counts.quality,
        ])
        for provider in MeasuredProvider.allCases where !sums[provider].isEmpty {
            let ofProvider = sums[provider]
            let identity: [any DatabaseValueConvertible] = [
                key.day, key.pipeline.rawValue, provider.rawValue, ofProvider.asked, ofProvider.answered,
            ]
            try db.cachedStatement(sql: Self.addProvider).execute(
                arguments: StatementArguments(identity + BookField.allCases.map { ofProvider[$0] }))
        }
    }

    /// The totals from `day` on.
    func sums(from day: Int64) throws -> [RollupKey: RollupSums] {
        var sums: [RollupKey: RollupSums] = [:]
        let qualities = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT * FROM quality_day WHERE day >= ?"), arguments: [day])
        while let row = try qualities.next() {
            guard let key = RollupKey(row) else { continue }
            sums[key] = RollupSums(counts: QualityCounts(row))
        }
        let providers = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT * FROM provider_day WHERE day >= ?"), arguments: [day])
        while let row = try providers.next() {
            guard let key = RollupKey(row), let provider = MeasuredProvider(rawValue: row["provider"]) else { continue }
            sums[key, default: RollupSums()][provider] = ProviderSums(row)
        }
        return sums
    }

    /// Deletes the days before `day`.
    func delete(before day: Int64) throws {
        for table in ["quality_day", "provider_day"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE day < ?").execute(arguments: [day])
        }
    }

    private static let qualityColumns = [
        "books", "found", "isbns", "isbns_found", "covers", "authors", "known_authors", "quality",
    ]
    private static let addQuality = add(to: "quality_day", key: ["day", "pipeline"], qualityColumns)
    private static let addProvider = add(
        to: "provider_day", key: ["day", "pipeline", "provider"],
        ["asked", "answered"] + BookField.allCases.map(\.column))

    /// A statement that inserts a row or adds to an existing one (sqlite.org/lang_upsert.html).
    private static func add(to table: String, key: [String], _ columns: [String]) -> String {
        let all = key + columns
        return """
            INSERT INTO \(table)(\(all.joined(separator: ", "))) VALUES (\(all.map { _ in "?" }.joined(separator: ", ")))
            ON CONFLICT(\(key.joined(separator: ", "))) DO UPDATE SET
            \(columns.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", "))
            """
    }
}

extension RollupKey {
    /// Reads the key of a row; nil if this program does not know the pipeline.
    fileprivate init?(_ row: Row) {
        guard let pipeline = Pipeline(rawValue: row["pipeline"]) else { return nil }
        self.init(day: row["day"], pipeline: pipeline)
    }
}

extension QualityCounts {
    fileprivate init(_ row: Row) {
        self.init()
        (books, found, isbns, isbnsFound) = (row["books"], row["found"], row["isbns"], row["isbns_found"])
        (covers, authors, knownAuthors, quality) = (row["covers"], row["authors"], row["known_authors"], row["quality"])
    }
}

extension ProviderSums {
    fileprivate init(_ row: Row) {
        self.init()
        (asked, answered) = (row["asked"], row["answered"])
        for field in BookField.allCases { self[field] = row[field.column] }
    }
}

extension BookField {
    /// The field's column in `provider_day`.
    fileprivate var column: String {
        switch self {
        case .publicationDate: "publication_date"
        case .pageCount: "page_count"
        case .title, .authors, .cover, .description, .subjects, .publisher, .language: rawValue
        }
    }
}

/// Answers queries about rollups on separate read connections, so the engine does not wait for them.
struct AnalyticsReader: Sendable {
    let pool: DatabasePool

    func days(_ parameters: QueryAnalytics.Parameters) async throws -> QueryAnalytics.Result {
        let first = parameters.since.map(RollupKey.day) ?? 0
        let sums = try await pool.read { try RollupStore(db: $0).sums(from: first) }
        return QueryAnalytics.Result(
            days: sums.sorted { ($1.key.day, $0.key.pipeline.rawValue) < ($0.key.day, $1.key.pipeline.rawValue) }
                .map(AnalyticsDay.init))
    }
}

extension AnalyticsDay {
    fileprivate init(_ key: RollupKey, _ sums: RollupSums) {
        let date = ISO8601Milliseconds.string(fromMilliseconds: key.day * 86_400_000)
        self.init(
            day: String(date.prefix(10)), pipeline: key.pipeline, counts: sums.counts,
            providers: MeasuredProvider.allCases.filter { !sums[$0].isEmpty }.map { provider in
                var counts = ProviderCounts(provider)
                (counts.asked, counts.answered) = (sums[provider].asked, sums[provider].answered)
                for field in BookField.allCases { counts[field] = sums[provider][field] }
                return counts
            })
    }
}
