package import Observability

extension MetricRegistry {
    /// Declares the sizes of a SQLite database's files (sqlite.org/wal.html).
    ///
    /// - Parameter name: What the database is called in the label `database`.
    package func declareDatabase(_ name: String, at path: String) {
        families("bookstrack_database_bytes") {
            let samples = [("main", path), ("wal", path + "-wal")].compactMap { file, path in
                FileSize.bytes(at: path).map { bytes in
                    (labels: [Sample.Label("database", name), Sample.Label("file", file)], value: Double(bytes))
                }
            }
            return [
                MetricFamily(.gauge, "bookstrack_database_bytes", help: "Sizes of the database's files.", samples)
            ]
        }
    }
}
