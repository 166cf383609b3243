import Crypto
import Foundation
import Glibc
import Logging
import NIOPosix
import ServiceLifecycle
import SuiteMethods

/// `uploads/` in the data directory. `.incoming` contains the files that are being uploaded. Each job whose files are still needed has its own
/// folder, which progress-host deletes later. Every call blocks on the disk.
struct UploadDirectory: Sendable {
    /// Age in seconds at which an unlocked entry of `.incoming` counts as a leftover. A body may pause for longer, because its files are locked.
    static let idleLimit: TimeInterval = 120

    let path: String

    private var incoming: String { "\(path)/.incoming" }

    /// Creates the directories (mode 0700).
    func prepare() throws(UploadFault) {
        for directory in [path, incoming] where mkdir(directory, 0o700) != 0 && errno != EEXIST {
            throw UploadFault(errno: errno)
        }
    }

    /// Creates a folder with an empty file.
    func makeFile(named name: String) throws(UploadFault) -> IncomingFile {
        do throws(UploadFault) {
            return try IncomingFile(in: incoming, named: name)
        } catch .system(ENOENT) {
            try prepare()
            return try IncomingFile(in: incoming, named: name)
        }
    }

    /// Moves a file's folder to where the other services expect it; returns false if the job already has a folder with files.
    func keep(_ file: IncomingFile, as job: String) throws(UploadFault) -> Bool {
        let isMoved = try file.move(to: "\(path)/\(job)")
        // Even if an earlier attempt moved the file: its process may have been killed before it synced the directory.
        try IncomingFile.sync(directory: path)
        return isMoved
    }

    /// SHA-256 of a job's file, in hexadecimal digits; nil if there is no such file or it cannot be read.
    func keptDigest(of job: String, named name: String) -> String? {
        let descriptor = open("\(path)/\(job)/\(name)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var digest = SHA256()
        var part = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(descriptor, &part, part.count)
            guard count >= 0 else { return nil }
            if count == 0 { return digest.finalize().hexadecimal }
            digest.update(data: part[..<count])
        }
    }

    /// Total size of the jobs' files, in bytes: those of open jobs, and photos that are still kept.
    func storedBytes() -> Int {
        names(in: path).filter { !$0.hasPrefix(".") }.reduce(0) { total, job in
            total + names(in: "\(path)/\(job)").reduce(0) { $0 + (status("\(path)/\(job)/\($1)")?.bytes ?? 0) }
        }
    }

    /// Deletes the entries of `.incoming` that were last written before `limit` and contain no locked file. Returns the number of deleted entries.
    @discardableResult func sweep(writtenBefore limit: Date) -> Int {
        names(in: incoming).filter { name in
            let folder = "\(incoming)/\(name)"
            let files = names(in: folder).map { "\(folder)/\($0)" }
            guard let written = files.compactMap({ status($0)?.written }).max() ?? status(folder)?.written,
                written < limit
            else { return false }
            return remove(folder, with: files)
        }.count
    }

    private func names(in directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }

    private func status(_ path: String) -> (bytes: Int, written: Date)? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let bytes = attributes?[.size] as? Int, let written = attributes?[.modificationDate] as? Date else {
            return nil
        }
        return (bytes, written)
    }

    /// Deletes a folder unless a process has locked one of its files; returns whether it was deleted. A file that cannot be opened counts as locked:
    /// this process may have no descriptors left, or the file may have been renamed after its folder was listed.
    private func remove(_ folder: String, with files: [String]) -> Bool {
        // A folder whose files could not be listed looks empty, but this call deletes only files and empty folders.
        guard !files.isEmpty else { return Glibc.remove(folder) == 0 }
        let descriptors = files.map { open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        defer { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }
        guard descriptors.allSatisfy({ $0 >= 0 && flock($0, LOCK_EX | LOCK_NB) == 0 }) else { return false }
        return (try? FileManager.default.removeItem(atPath: folder)) != nil
    }
}

/// Deletes leftovers in `.incoming`, for example those of an api-proxy that was killed, at startup and while this process is running.
struct UploadSweeper: Service {
    private static let interval = Duration.seconds(30)

    let directory: UploadDirectory
    let threads: NIOThreadPool
    let logger: Logger

    func run() async {
        try? await cancelWhenGracefulShutdown {
            // At startup, no file is being uploaded, except to an api-proxy whose ports were taken over; it has locked its files.
            try await sweep(.distantFuture)
            while true {
                try await Task.sleep(for: Self.interval)
                try await sweep(Date(timeIntervalSinceNow: -UploadDirectory.idleLimit))
            }
        }
    }

    private func sweep(_ limit: Date) async throws {
        let removed = try await threads.runIfActive { [directory] in directory.sweep(writtenBefore: limit) }
        if removed > 0 { logger.notice("deleted unfinished uploads", metadata: ["uploads": "\(removed)"]) }
    }
}
