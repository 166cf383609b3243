import BookstrackContract
import Foundation

/// The uploaded files of jobs in the data directory: `uploads/<jobId>/file` for an import, and `photo-0` and so on for a scan (imports.md "Life",
/// scans.md "Life").
///
/// api-proxy adds files, and progress-host removes them. A job's identifier contains neither a dot nor a slash, so no job's folder is `.incoming`,
/// which belongs to api-proxy.
struct UploadFolder: Sendable {
    /// File name for an import.
    static let libraryFile = "file"

    private let directory: URL

    /// Uses the folder in a data directory; the folder need not exist.
    init(dataDirectory: URL) { directory = dataDirectory.appending(path: "uploads", directoryHint: .isDirectory) }

    /// File name for a photo of a scan.
    static func photo(_ index: Int) -> String { "photo-\(index)" }

    /// Path of a job's file.
    func path(of id: JobID, _ name: String) -> String { folder(id).appending(path: name).path(percentEncoded: false) }

    /// Whether a job's file has arrived.
    func hasFile(_ name: String, of id: JobID) -> Bool { access(path(of: id, name), F_OK) == 0 }

    /// Jobs that have a folder.
    func jobs() -> [JobID] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false))) ?? []
        return names.compactMap { JobID($0) }
    }

    /// Removes a job's folder; if this fails, the sweeper retries.
    func remove(_ id: JobID) { try? FileManager.default.removeItem(at: folder(id)) }

    private func folder(_ id: JobID) -> URL { directory.appending(path: id.text, directoryHint: .isDirectory) }
}
