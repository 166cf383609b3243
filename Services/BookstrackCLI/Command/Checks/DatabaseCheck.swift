import GRDB
import SuiteStorage

/// Checks that a database is intact, can be read by this program, and holds what it should. Changes nothing, and may run beside the
/// service that owns the database.
struct DatabaseCheck {
    /// Breaches that are named.
    private static let mostExamples = 3

    let path: String
    let database: SuiteDatabase
    let depth: DatabaseInspection.Depth

    /// Structure, schema, and what must hold between the rows. After a problem, what is beyond it is not looked at.
    func findings() -> [Finding] {
        let sound = soundness()
        guard sound.allSatisfy({ $0.verdict != .problem }) else { return sound }
        do {
            return sound + (try inspection.read { try content($0) })
        } catch {
            return sound + [.problem(subject, error)]
        }
    }

    /// Structure and schema: whether a service can work with the file.
    func soundness() -> [Finding] {
        do {
            let faults = try inspection.faults(depth)
            guard faults.isEmpty else { return faults.map { .problem(subject, "damaged: \($0)", advice: cure) } }
            return [.ok(subject, "\(depth.pragma): no damage found"), schema(try inspection.stamp())]
        } catch {
            return [.problem(subject, error)]
        }
    }

    private var inspection: DatabaseInspection { DatabaseInspection(path: path) }

    private var subject: String { database.fileName }

    private var cure: String {
        switch database {
        case .jobs: "stop the services and restore a backup: bookstrack restore BACKUP"
        case .cache: "stop enrichment-worker and remove the file; it is created again"
        }
    }

    private func schema(_ stamp: SchemaStamp) -> Finding {
        let text = "schema version \(stamp.version), readable from version \(stamp.minReader) on"
        guard stamp.version > 0 else { return .problem(subject, "it does not have the suite's schema", advice: cure) }
        guard database.reads(stamp) else {
            return .problem(
                subject, "\(text); this program reads up to \(database.version)",
                advice: "use the newer version of the suite, or restore a backup that this one can read")
        }
        if stamp.version < database.version {
            return .ok(subject, "\(text); its service migrates it to version \(database.version) at the next start")
        }
        return .ok(subject, stamp.version > database.version ? "\(text); it was written by a later version" : text)
    }

    private func content(_ db: Database) throws -> [Finding] {
        let stamp = try SchemaStamp(db)
        let strangers = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count
        let keys = Finding.problem(subject, "\(strangers) rows refer to rows that do not exist", advice: cure)
        guard database == .jobs, stamp.version >= JobInvariant.leastVersion else { return strangers == 0 ? [] : [keys] }
        return (strangers == 0 ? [] : [keys]) + (try JobInvariant.all.map { try finding($0, db) })
    }

    private func finding(_ invariant: JobInvariant, _ db: Database) throws -> Finding {
        let (examples, count) = try invariant.breaches(db, limit: Self.mostExamples)
        guard count > 0 else { return .ok(subject, invariant.statement) }
        let more = count > examples.count ? " and \(count - examples.count) more" : ""
        return .problem(
            subject, "violated: \(invariant.statement) (\(examples.joined(separator: ", "))\(more))", advice: cure)
    }
}
