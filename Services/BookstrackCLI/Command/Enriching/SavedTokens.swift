import ArgumentParser
import BookstrackContract
import Foundation
import ServiceKit
import SuiteMethods

/// Tokens of the jobs started from this account, in a file that only the account can read (http-api.md "Job state").
struct SavedTokens {
    struct Entry: Codable, Equatable {
        var jobId: JobID
        var token: String
        /// Address of the API at which the job was started.
        var url: String
        /// When the job was started, ISO 8601.
        var startedAt: String
    }

    private struct Content: Codable {
        var jobs: [Entry]
    }

    /// Path of the file.
    let path: String
    /// Maximum number of stored jobs; the oldest ones are removed.
    var limit = 500

    /// The file in `$XDG_STATE_HOME/bookstrack`, otherwise in `~/.local/state/bookstrack` (XDG Base Directory Specification).
    static var standard: SavedTokens {
        let environment = ProcessInfo.processInfo.environment
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return SavedTokens(path: (state ?? "\(home)/.local/state") + "/bookstrack/tokens.json")
    }

    /// The directory of this file and other state.
    var folder: String { URL(filePath: path).deletingLastPathComponent().path }

    /// The stored entry of a job; nil if there is none.
    func entry(of job: JobID) throws -> Entry? {
        try read().last { $0.jobId == job }
    }

    /// All stored jobs, oldest first.
    func entries() throws -> [Entry] { try read() }

    /// Stores a job, replacing its earlier entry. Safe for concurrent processes.
    func keep(_ entry: Entry) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(.cannotWrite, "cannot create the folder \(folder) for job tokens")
        }
        try withLock {
            var jobs = try read().filter { $0.jobId != entry.jobId }
            jobs.append(entry)
            try write(Content(jobs: jobs.suffix(limit)))
        }
    }

    /// The warning that a token could not be saved. The token itself is a secret and is not printed.
    static func warning(of job: JobID, _ failure: CommandFailure) -> String {
        """
        Warning: \(failure.message). Job \(job) can only be watched and cancelled by this run; for later runs, set XDG_STATE_HOME \
        to a writable directory.
        """
    }

    private func read() throws -> [Entry] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.noInput, "cannot read \(path)")
        }
        do {
            return try JSONDecoder().decode(Content.self, from: bytes).jobs
        } catch {
            throw CommandFailure(.badInput, "\(path) is not a list of job tokens; rename or delete it")
        }
    }

    /// Writes and syncs a temporary file and renames it, so neither a reader nor a power failure finds a partial file.
    private func write(_ content: Content) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let fresh = path + ".new"
        try? FileManager.default.removeItem(atPath: fresh)
        guard
            FileManager.default.createFile(
                atPath: fresh, contents: try encoder.encode(content), attributes: [.posixPermissions: 0o600])
        else { throw CommandFailure(.cannotWrite, "cannot write \(path)") }
        try DurableFile.sync(fresh)
        guard rename(fresh, path) == 0 else { throw CommandFailure(.cannotWrite, "cannot write \(path)") }
    }

    private func withLock(_ body: () throws -> Void) throws {
        let descriptor = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandFailure(.cannotWrite, "cannot lock \(path)") }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else { throw CommandFailure(.cannotWrite, "cannot lock \(path)") }
        try body()
    }
}

/// A user's reference to a job: its identifier, or at least the first eight characters of it.
struct JobReference: ExpressibleByArgument, Equatable {
    let text: String

    /// Accepts any string; ``job(in:)`` rejects an invalid reference with an explanation.
    init(argument: String) { text = argument }

    /// Looks up jobs among those started from this account and those of the services on this machine.
    struct Directory {
        /// Jobs started from this account with this identifier prefix.
        var own: @Sendable (String) -> [JobID]
        /// progress-host's jobs with this identifier prefix; nil if it cannot be queried.
        var all: @Sendable (String) async -> [JobID]?
    }

    /// The job. A text that can only be a complete identifier, because it is a version 4 UUID or shorter than eight characters, is not looked up.
    /// Throws `CommandFailure` if the text cannot be an identifier or the start of one, if several identifiers start with it and none is equal to it,
    /// or if it is known that no job matches.
    func job(in directory: Directory = .standard) async throws -> JobID {
        guard let named = JobID(text) else {
            throw CommandFailure(
                .usage,
                """
                "\(text)" is not a job ID: give the full ID or at least its first \(JobID.shortestName) characters; see: \
                bookstrack jobs
                """)
        }
        guard !named.isRandomUUID, text.utf8.count >= JobID.shortestName else { return named }
        let own = directory.own(text)
        if own.contains(named) { return named }
        let stored = await directory.all(text)
        let candidates = Set(own + (stored ?? []))
        if candidates.contains(named) { return named }
        switch candidates.count {
        case 1: return candidates.first ?? named
        case 0:
            // If not all jobs are known, the text may be a complete identifier.
            guard stored != nil else { return named }
            throw CommandFailure(.noInput, "there is no job \(text); see: bookstrack jobs")
        default:
            let list = candidates.map(\.text).sorted().map { "  " + $0 }.joined(separator: "\n")
            throw CommandFailure(.usage, "several job IDs start with \(text); choose one:\n\(list)")
        }
    }
}

extension JobReference.Directory {
    /// Maximum number of candidates requested from progress-host; saved jobs are added to them.
    private static let maxCandidates = 20

    /// The token file of this account, and progress-host's socket on this machine.
    static var standard: Self {
        Self(
            own: { prefix in
                ((try? SavedTokens.standard.entries()) ?? []).map(\.jobId).filter { $0.text.hasPrefix(prefix) }
            },
            all: { prefix in
                guard let directories = try? CommandSettings.load().directories else { return nil }
                var parameters = ListJobs.Parameters(limit: maxCandidates)
                parameters.prefix = prefix
                return try? await ServiceSocket(.progressHost, in: directories).call(ListJobs.self, parameters)
                    .jobs.map(\.jobId)
            })
    }
}
