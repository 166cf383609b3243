import Foundation
import SuiteStorage

/// Looks at the databases of a data directory.
struct StorageCheck {
    /// The data directory.
    let storage: String
    let depth: DatabaseInspection.Depth

    /// Every finding on every database.
    func findings() -> [Finding] { findings { $0.findings() } }

    /// Whether the services can work with the databases.
    func soundness() -> [Finding] { findings { $0.soundness() } }

    private func findings(_ look: (DatabaseCheck) -> [Finding]) -> [Finding] {
        guard access(storage, R_OK | X_OK) == 0 else {
            return [
                .problem(
                    storage, "cannot be read: \(String(cString: strerror(errno)))",
                    advice: "point BOOKSTRACK_DATA_DIR at the data directory, or run the command as its owner")
            ]
        }
        return SuiteDatabase.allCases.flatMap { findings($0, look) }
    }

    private func findings(_ database: SuiteDatabase, _ look: (DatabaseCheck) -> [Finding]) -> [Finding] {
        let path = "\(storage)/\(database.fileName)"
        guard FileManager.default.fileExists(atPath: path) else {
            let statement = "does not exist; its service creates it at its first start"
            return [
                database == .jobs
                    ? .warning(
                        database.fileName, statement,
                        advice:
                            "if there were jobs, check that BOOKSTRACK_DATA_DIR is the right directory (\(storage))"
                    )
                    : .ok(database.fileName, statement)
            ]
        }
        return look(DatabaseCheck(path: path, database: database, depth: depth))
    }
}
