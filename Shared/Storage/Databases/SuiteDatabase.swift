package import GRDB

/// A database of the data directory (two-databases.md).
package enum SuiteDatabase: String, Codable, CaseIterable, Sendable {
    /// Jobs, items, results, events and tokens; progress-host owns it.
    case jobs
    /// What providers answered; enrichment-worker owns it, and makes a new one when it is gone.
    case cache

    /// The file's name in the data directory.
    package var fileName: String { rawValue + ".sqlite" }

    /// Schema version that this program writes.
    package var version: Int {
        switch self {
        case .jobs: JobSchema.version
        case .cache: CacheSchema.version
        }
    }

    /// Whether this program reads a database with that stamp (Migrations.md).
    package func reads(_ stamp: SchemaStamp) -> Bool { stamp.version > 0 && stamp.minReader <= version }

    /// Brings an open database to `version`; throws the schema's refusal for one that this program cannot read.
    package func migrate(_ db: Database) throws {
        switch self {
        case .jobs: try JobSchema.migrate(db)
        case .cache: try CacheSchema.migrate(db)
        }
    }
}
