import GRDB
import SuiteStorage

/// Sees whether a backup is what its manifest says, and can be restored by this program.
struct BackupCheck {
    let backup: BackupFolder
    let depth: DatabaseInspection.Depth

    /// Everything, file by file in the manifest's order.
    func findings() -> [Finding] {
        let manifest = backup.manifest
        let head = Finding.ok(
            BackupManifest.fileName, "made at \(manifest.madeAtText) by bookstrack \(manifest.suiteVersion)")
        return [head] + manifest.files.flatMap { entry in findings(entry) { $0.findings() } }
    }

    /// What must be right before a service can work with the files: bytes, structure and schema.
    func soundness() -> [Finding] {
        backup.manifest.files.flatMap { entry in findings(entry) { $0.soundness() } }
    }

    private func findings(_ entry: BackupManifest.Entry, _ look: (DatabaseCheck) -> [Finding]) -> [Finding] {
        let path = backup.copy(of: entry.database)
        let subject = entry.database.fileName
        do {
            let (bytes, sha256) = try DurableFile.digest(path)
            guard bytes == entry.bytes, sha256 == entry.sha256 else {
                return [
                    .problem(
                        subject, "differs from the manifest: it was changed or damaged",
                        advice: "use another backup")
                ]
            }
        } catch {
            return [.problem(subject, error)]
        }
        return [.ok(subject, "\(ByteCount.text(entry.bytes)), as the manifest says")]
            + look(DatabaseCheck(path: path, database: entry.database, depth: depth))
    }
}
