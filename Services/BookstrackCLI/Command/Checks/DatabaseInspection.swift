import GRDB
import SuiteStorage

/// Looks into one database file without changing it. Throws `CommandFailure`.
struct DatabaseInspection {
    /// How thoroughly the file's structure is looked at (sqlite.org/pragma.html#pragma_integrity_check).
    enum Depth {
        /// Every page, but not whether indexes and tables agree.
        case quick
        case whole

        var pragma: String {
            switch self {
            case .quick: "quick_check"
            case .whole: "integrity_check"
            }
        }
    }

    /// Faults that are listed.
    private static let mostFaults = 5

    let path: String

    /// What the database says of its schema.
    func stamp() throws -> SchemaStamp { try read { try SchemaStamp($0) } }

    /// What SQLite finds wrong with the file; empty when nothing is.
    func faults(_ depth: Depth) throws -> [String] {
        try read { db in
            try String.fetchAll(db, sql: "PRAGMA \(depth.pragma)(\(Self.mostFaults))").filter { $0 != "ok" }
        }
    }

    /// Runs `body` on one consistent state of the database.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            let queue = try StoredDatabase(path: path).open()
            return try queue.unsafeRead { db in
                var value: Value?
                try db.inTransaction(.deferred) {
                    value = try body(db)
                    return .commit
                }
                guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                return value
            }
        } catch let error as DatabaseError {
            throw CommandFailure(error, at: path)
        }
    }
}
