import BookstrackContract
import Foundation

/// The uploaded files of jobs: `uploads/<jobId>/file` of an import, and `photo-0` and so on of a scan, in the data directory (imports.md "Life",
/// scans.md "Life").
///
/// api-proxy moves files in, progress-host removes them. A job's name has no dot and no slash, so it is never
/// `.incoming`, which belongs to api-proxy.
struct UploadFolder: Sendable {
    /// Name of an import's file.
    static let libraryFile = "file"

    private let directory: URL

    /// The folder in a data directory; it need not exist.
    init(dataDirectory: URL) { directory = dataDirectory.appending(path: "uploads", directoryHint: .isDirectory) }

    /// Name of a scan's photo.
    static func photo(_ index: Int) -> String { "photo-\(index)" }

    /// Where a job's file is.
    func path(of id: JobID, _ name: String) -> String { folder(id).appending(path: name).path(percentEncoded: false) }

    /// Whether a job's file has arrived.
    func hasFile(_ name: String, of id: JobID) -> Bool { access(path(of: id, name), F_OK) == 0 }

    /// Jobs that have a folder.
    func jobs() -> [JobID] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false))) ?? []
        return names.compactMap { JobID($0) }
    }

    /// Removes a job's folder; if that fails, the sweeper tries again.
    func remove(_ id: JobID) { try? FileManager.default.removeItem(at: folder(id)) }

    private func folder(_ id: JobID) -> URL { directory.appending(path: id.text, directoryHint: .isDirectory) }
}
