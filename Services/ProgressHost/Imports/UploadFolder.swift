import BookstrackContract
import Foundation

/// The uploaded files of jobs: `uploads/<jobId>/file` in the data directory (imports.md "Life").
///
/// api-proxy moves files in, progress-host removes them. Names of jobs have no dot and no slash, so that `.incoming`, which is
/// api-proxy's own, is never one of them.
struct UploadFolder: Sendable {
    private let directory: URL

    /// The folder of a data directory; it need not be there.
    init(dataDirectory: URL) { directory = dataDirectory.appending(path: "uploads", directoryHint: .isDirectory) }

    /// Where a job's file is.
    func path(of id: JobID) -> String { folder(id).appending(path: "file").path(percentEncoded: false) }

    /// Whether a job's file has arrived.
    func hasFile(of id: JobID) -> Bool { access(path(of: id), F_OK) == 0 }

    /// Jobs whose folders are there.
    func jobs() -> [JobID] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false))) ?? []
        return names.compactMap { JobID($0) }
    }

    /// Removes a job's folder; what cannot be removed is found again by the sweeper.
    func remove(_ id: JobID) { try? FileManager.default.removeItem(at: folder(id)) }

    private func folder(_ id: JobID) -> URL { directory.appending(path: id.text, directoryHint: .isDirectory) }
}
