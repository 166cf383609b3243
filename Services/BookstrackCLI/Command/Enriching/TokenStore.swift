import BookstrackContract
import Foundation

/// Tokens of the jobs that were started from this account, in a file that only the account can read (http-api.md "Job state").
struct TokenStore {
    struct Entry: Codable, Equatable {
        var jobId: JobID
        var token: String
        /// Address of the API that runs the job.
        var url: String
        /// ISO 8601.
        var startedAt: String
    }

    private struct Content: Codable {
        var jobs: [Entry]
    }

    /// Path of the file.
    let path: String
    /// The jobs that are remembered; the oldest ones go first.
    var limit = 500

    /// In `$XDG_STATE_HOME/bookstrack`, else `~/.local/state/bookstrack` (XDG Base Directory Specification).
    static var standard: TokenStore {
        let environment = ProcessInfo.processInfo.environment
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return TokenStore(path: (state ?? "\(home)/.local/state") + "/bookstrack/tokens.json")
    }

    /// The directory of the file, and of what else is remembered.
    var folder: String { URL(filePath: path).deletingLastPathComponent().path }

    /// What is remembered of a job; nil when it is not known.
    func entry(of job: JobID) throws -> Entry? {
        try read().last { $0.jobId == job }
    }

    /// Every job that is remembered, the latest last.
    func entries() throws -> [Entry] { try read() }

    /// Remembers a job. Two processes may do so at once.
    func keep(_ entry: Entry) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(.noInput, "cannot create the folder \(folder) for job tokens")
        }
        try withLock {
            var jobs = try read().filter { $0.jobId != entry.jobId }
            jobs.append(entry)
            try write(Content(jobs: jobs.suffix(limit)))
        }
    }

    private func read() throws -> [Entry] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.noInput, "cannot read \(path)")
        }
        do {
            return try JSONDecoder().decode(Content.self, from: bytes).jobs
        } catch {
            throw CommandFailure(.badInput, "\(path) is not a list of job tokens; move it away")
        }
    }

    /// Writes beside the file and renames, so that a reader never sees half of it.
    private func write(_ content: Content) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let fresh = path + ".new"
        try? FileManager.default.removeItem(atPath: fresh)
        guard
            FileManager.default.createFile(
                atPath: fresh, contents: try encoder.encode(content), attributes: [.posixPermissions: 0o600]),
            rename(fresh, path) == 0
        else { throw CommandFailure(.noInput, "cannot write \(path)") }
    }

    private func withLock(_ body: () throws -> Void) throws {
        let descriptor = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
            throw CommandFailure(.noInput, "cannot lock \(path)")
        }
        defer { close(descriptor) }
        try body()
    }
}
