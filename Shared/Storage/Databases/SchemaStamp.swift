package import GRDB

/// What a database says of its schema (Migrations.md).
package struct SchemaStamp: Codable, Equatable, Sendable {
    /// The version that wrote it (`PRAGMA user_version`); 0 for a file that holds none of the suite's schemas.
    package var version: Int
    /// The oldest version that can read it.
    package var minReader: Int

    package init(version: Int, minReader: Int) {
        self.version = version
        self.minReader = minReader
    }

    /// Reads the stamp of an open database.
    package init(_ db: Database) throws {
        version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        minReader =
            version == 0
            ? 0 : try Int.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'min_reader'") ?? 0
    }
}
