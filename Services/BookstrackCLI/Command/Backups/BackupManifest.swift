import BookstrackContract
import SuiteStorage

/// What a backup consists of. Written last, so that a backup without it is an unfinished one.
struct BackupManifest: Codable, Equatable {
    /// Form of the manifest that this program writes and reads.
    static let currentFormat = 1
    static let fileName = "manifest.json"

    /// What the manifests of every form have, also of later ones.
    struct Head: Decodable {
        var format: Int
        var suiteVersion: String
    }

    /// The copy of one database.
    struct Entry: Codable, Equatable {
        var database: SuiteDatabase
        var bytes: Int
        /// SHA-256 of the file, in lower-case hexadecimal.
        var sha256: String
        var schema: SchemaStamp
    }

    var format = BackupManifest.currentFormat
    /// Version of the suite that made the backup.
    var suiteVersion: String
    /// Milliseconds since 1970: when the first database was read. Nothing that was committed before is missing.
    var madeAt: Int64
    /// `madeAt` for people, ISO 8601.
    var madeAtText: String
    var files: [Entry]

    init(suiteVersion: String, madeAt: Int64, files: [Entry]) {
        self.suiteVersion = suiteVersion
        self.madeAt = madeAt
        madeAtText = ISO8601Milliseconds.string(fromMilliseconds: madeAt)
        self.files = files
    }
}
