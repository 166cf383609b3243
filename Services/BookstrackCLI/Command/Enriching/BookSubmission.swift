import BookstrackContract
import Foundation
import NIOConcurrencyHelpers
import SuiteMethods

/// A list of books that is being submitted, split into jobs small enough for the server.
///
/// Until the last job is started, the list is stored in a folder with one file per job: `0000-JOB.json` contains the books of
/// a job that has not been started, and `0000-JOB.started` only the number of books in a started job; `server` contains the server's address. The
/// folder's name depends on the server and the books, so submitting the same list again resumes the submission: a job keeps its identifier, and
/// starting it again returns the same job (http-api.md "Starting a job"). Once every job is started, the folder is deleted, and submitting the same
/// list creates new jobs. Only one run at a time can submit a list.
struct BookSubmission {
    /// The books of one job.
    struct Batch: Equatable {
        let job: JobID
        /// The books of the job; empty if an earlier run started the job.
        let books: [BookQuery]
        /// Number of books in the job.
        let count: Int
        var isStarted = false
    }

    /// Maximum size of a job's books in bytes, below the request-body limit (http-api.md "Validation").
    static let batchBytes = 12 << 20
    /// How long an unfinished list is kept after its last change; a later submission then deletes it.
    private static let life: TimeInterval = 7 * 86_400
    private static let marks = (waiting: "json", started: "started")
    /// The file with the server's address. It is written last, so a folder that contains it is complete.
    private static let addressFile = "server"

    /// The list's name on the command line.
    let id: String
    /// The address of the server that receives the list; nil if it is unknown, as for a list that version 0.2.0 stored.
    let address: ServerAddress?
    private(set) var batches: [Batch]
    /// The list's folder; nil if the list cannot be stored.
    private let folder: URL?
    private let lock: ListLock

    /// Whether some of the jobs have been started, in this run or an earlier one.
    var isResumed: Bool { batches.contains(where: \.isStarted) }
    /// Jobs that have not been started.
    var unstarted: [Batch] { batches.filter { !$0.isStarted } }
    /// Whether a later run can resume the list.
    var isKept: Bool { folder != nil }

    /// Resumes the list of an earlier run that did not start all of its jobs, or creates a new one with at most `size` books per job.
    ///
    /// If the list cannot be stored, it is still created, and `warn` receives the reason. Throws `CommandFailure` if another run is submitting the
    /// list.
    init(_ books: [BookQuery], to address: ServerAddress, size: Int, in root: URL, warn: (String) -> Void) throws {
        let id = String(JobDigest.of([BookQuery(workId: "\(address)")] + books).prefix(12))
        self.id = id
        self.address = address
        let folder = root.appending(path: id)
        Self.removeOld(in: root)
        lock = try ListLock(folder)
        if let kept = try? Self.read(folder), !kept.isEmpty {
            (batches, self.folder) = (kept, folder)
            return
        }
        batches = Self.split(books.map(\.fitting), size: size)
        do {
            try Self.write(batches, for: address, to: folder)
            self.folder = folder
        } catch {
            warn(
                """
                Warning: the list cannot be saved in \(folder.path), so only this run can submit it: \
                \(CommandFailure.reason(of: error))
                """)
            self.folder = nil
        }
    }

    /// Resumes a list by its name. Throws `CommandFailure` if there is no such list, or if another run is submitting it.
    init(resuming id: String, in root: URL) throws {
        let folder = root.appending(path: id)
        let missing = CommandFailure(
            .noInput,
            "there is no unfinished list \(id): it was fully submitted, is older than 7 days, or never existed")
        guard !id.contains("/"), (try? Self.read(folder))?.isEmpty == false else { throw missing }
        lock = try ListLock(folder)
        // Another run may have submitted the rest in the meantime.
        guard let kept = try? Self.read(folder), !kept.isEmpty else { throw missing }
        (self.id, batches, self.folder) = (id, kept, folder)
        let address = try? String(contentsOf: folder.appending(path: Self.addressFile), encoding: .utf8)
        self.address = address.flatMap { try? ServerAddress($0) }
    }

    /// Lets other runs submit the list. Called at the end of the submission, before its jobs are watched.
    func endSubmission() { lock.release() }

    /// Marks a job as started. Deletes the stored list after the last one.
    mutating func markStarted(_ job: JobID) {
        guard let place = batches.firstIndex(where: { $0.job == job }) else { return }
        batches[place].isStarted = true
        guard let folder else { return }
        if unstarted.isEmpty {
            // Otherwise, a temporary folder left behind by a killed run would be taken for the list.
            try? FileManager.default.removeItem(at: Self.fresh(folder))
            try? FileManager.default.removeItem(at: Self.setAside(folder))
        } else {
            try? Self.mark(batches[place], at: place, in: folder)
        }
    }

    /// Splits the remaining jobs for a server that accepts only smaller jobs. Throws `CommandFailure`, and changes nothing, if the smaller jobs
    /// cannot be stored.
    mutating func splitUnstarted(size: Int) throws {
        let smaller = batches.filter(\.isStarted) + Self.split(unstarted.flatMap(\.books), size: size)
        if let folder {
            do {
                try Self.write(smaller, for: address, to: folder)
            } catch {
                throw CommandFailure(
                    .cannotWrite,
                    "the server accepts only smaller jobs, and these cannot be saved in \(folder.path): "
                        + CommandFailure.reason(of: error))
            }
        }
        batches = smaller
    }

    private static func split(_ books: [BookQuery], size: Int) -> [Batch] {
        ItemPages.split(books, pageBytes: batchBytes).flatMap { page in
            stride(from: 0, to: page.count, by: size).map { start in
                let books = Array(page[start..<min(start + size, page.count)])
                return Batch(job: .random(), books: books, count: books.count)
            }
        }
    }

    /// Writes a temporary folder next to `folder` and renames it, so no run reads a partial list.
    private static func write(_ batches: [Batch], for address: ServerAddress?, to folder: URL) throws {
        let files = FileManager.default
        let fresh = fresh(folder)
        try? files.removeItem(at: fresh)
        try files.createDirectory(at: fresh, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for (number, batch) in batches.enumerated() {
            if batch.isStarted {
                try mark(batch, at: number, in: fresh)
            } else {
                try JSONEncoder().encode(batch.books).write(to: file(number, batch.job, marks.waiting, in: fresh))
            }
        }
        try Data((address?.description ?? "").utf8).write(to: fresh.appending(path: addressFile))
        let replaced = setAside(folder)
        try files.moveItem(at: fresh, to: folder)
        try? files.removeItem(at: replaced)
    }

    /// Renames a folder that is about to be deleted, and returns its new location. Deleting takes several steps; without the new name, the rest of a
    /// folder that a killed run was deleting would be taken for the whole list.
    private static func setAside(_ folder: URL) -> URL {
        let place = folder.appendingPathExtension("old")
        try? FileManager.default.removeItem(at: place)
        try? FileManager.default.moveItem(at: folder, to: place)
        return place
    }

    /// The temporary folder of a list.
    private static func fresh(_ folder: URL) -> URL { folder.appendingPathExtension("new") }

    /// Renames a list's temporary folder if the folder is complete but the run that wrote it was killed before it renamed the folder.
    private static func recover(_ folder: URL) {
        let files = FileManager.default
        guard !files.fileExists(atPath: folder.path),
            files.fileExists(atPath: fresh(folder).appending(path: addressFile).path)
        else { return }
        try? files.moveItem(at: fresh(folder), to: folder)
    }

    private static func mark(_ batch: Batch, at number: Int, in folder: URL) throws {
        let started = file(number, batch.job, marks.started, in: folder)
        try Data("\(batch.count)".utf8).write(to: started, options: .atomic)
        try? FileManager.default.removeItem(at: file(number, batch.job, marks.waiting, in: folder))
    }

    private static func file(_ number: Int, _ job: JobID, _ mark: String, in folder: URL) -> URL {
        let digits = String(number)
        return folder.appending(
            path: String(repeating: "0", count: max(0, 4 - digits.count)) + "\(digits)-\(job).\(mark)")
    }

    /// The jobs of a stored list in order. A job with both files counts as started: its run was killed before it removed the `.json` file.
    private static func read(_ folder: URL) throws -> [Batch] {
        recover(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let started = Set(
            names.filter { $0.hasSuffix("." + marks.started) }.map { ($0 as NSString).deletingPathExtension })
        return try names.compactMap { name in
            let stem = (name as NSString).deletingPathExtension
            guard let job = JobID(String(stem.drop { $0 != "-" }.dropFirst())) else { return nil }
            let bytes = try Data(contentsOf: folder.appending(path: name))
            if name.hasSuffix("." + marks.started) {
                return Batch(
                    job: job, books: [], count: Int(String(decoding: bytes, as: UTF8.self)) ?? 0, isStarted: true)
            }
            guard !started.contains(stem) else { return nil }
            let books = try JSONDecoder().decode([BookQuery].self, from: bytes)
            return Batch(job: job, books: books, count: books.count)
        }
    }

    private static func removeOld(in root: URL) {
        let files = FileManager.default
        for folder in (try? files.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)) ?? [] {
            let changed = (try? files.attributesOfItem(atPath: folder.path))?[.modificationDate] as? Date
            if let changed, changed.timeIntervalSinceNow < -life { try? files.removeItem(at: folder) }
        }
    }
}

/// Keeps other runs from submitting a list, until it is released or the run ends: a locked file next to the list's folder (flock(2)).
final class ListLock: Sendable {
    private let path: String
    /// The open file; nil once it is closed, or if it could not be opened or locked.
    private let descriptor: NIOLockedValueBox<Int32?>

    /// Throws `CommandFailure` if another run holds the lock. If the file cannot be created, or the file system has no locks, nothing is locked.
    init(_ folder: URL) throws {
        path = folder.appendingPathExtension("lock").path
        try? FileManager.default.createDirectory(
            at: folder.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        descriptor = NIOLockedValueBox(try Self.lock(path))
    }

    deinit { release() }

    /// Deletes the file and lets other runs submit the list.
    func release() {
        descriptor.withLockedValue { file in
            guard let open = file else { return }
            unlink(path)
            close(open)
            file = nil
        }
    }

    private static func lock(_ path: String) throws -> Int32? {
        while true {
            let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            guard file >= 0 else { return nil }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                let isHeld = errno == EWOULDBLOCK
                close(file)
                // Some file systems have no locks.
                guard isHeld else { return nil }
                throw CommandFailure(
                    .tryLater, "another run is submitting this list; run the command again when that has finished")
            }
            // The run that held the lock may have deleted the file after it was opened here.
            var (opened, present) = (stat(), stat())
            if fstat(file, &opened) == 0, stat(path, &present) == 0, opened.st_ino == present.st_ino { return file }
            close(file)
        }
    }
}
