import Crypto
import Foundation
import SuiteMethods

/// File operations for data that must survive a power failure: `write` and `copy` return once the bytes are on disk; `sync` returns once a file's
/// bytes or a directory's entries are on disk. They throw a `CommandFailure` that states the file and the reason.
enum DurableFile {
    private static let chunk = 1 << 20

    /// Creates an empty file that only this account can read; fails if it exists.
    static func create(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(errno: errno, "cannot create \(path)", missing: .cannotWrite)
        }
        close(descriptor)
    }

    /// Creates a directory that only this account can enter; fails if it exists.
    static func createDirectory(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 else {
            throw CommandFailure(errno: errno, "cannot create \(path)", missing: .cannotWrite)
        }
    }

    /// Creates a file with this text in UTF-8.
    static func write(_ text: String, to path: String) throws {
        try create(path)
        guard let handle = FileHandle(forWritingAtPath: path) else {
            throw CommandFailure(errno: errno, "cannot write \(path)")
        }
        defer { try? handle.close() }
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            throw CommandFailure(.cannotWrite, "cannot write \(path): \(CommandFailure.reason(of: error))")
        }
        try sync(path)
    }

    /// Waits until a file's bytes or a directory's entries are on disk (fsync(2)).
    static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure(errno: errno, "cannot open \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CommandFailure(errno: errno, "cannot write \(path)") }
    }

    /// Copies a file's bytes into a new file.
    static func copy(_ source: String, to target: String) throws {
        try create(target)
        guard let input = FileHandle(forReadingAtPath: source) else {
            throw CommandFailure(errno: errno, "cannot read \(source)")
        }
        guard let output = FileHandle(forWritingAtPath: target) else {
            throw CommandFailure(errno: errno, "cannot write \(target)")
        }
        defer {
            try? input.close()
            try? output.close()
        }
        do {
            while let bytes = try input.read(upToCount: chunk), !bytes.isEmpty { try output.write(contentsOf: bytes) }
        } catch {
            throw CommandFailure(
                .cannotWrite, "cannot copy \(source) to \(target): \(CommandFailure.reason(of: error))")
        }
        try sync(target)
    }

    /// Size and SHA-256 of a file.
    static func digest(_ path: String) throws -> (bytes: Int, sha256: String) {
        guard let input = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure(errno: errno, "cannot read \(path)")
        }
        defer { try? input.close() }
        var hash = SHA256()
        var count = 0
        do {
            while let bytes = try input.read(upToCount: chunk), !bytes.isEmpty {
                hash.update(data: bytes)
                count += bytes.count
            }
        } catch {
            throw CommandFailure(.noInput, "cannot read \(path): \(CommandFailure.reason(of: error))")
        }
        return (count, hash.finalize().hexadecimal)
    }
}

/// The user and group that own a data directory. If root creates files, their ownership is transferred to this user and
/// group, so the services can open them.
struct StorageOwner {
    private let user: uid_t
    private let group: gid_t

    init(directory: String) throws {
        var status = stat()
        guard stat(directory, &status) == 0 else { throw CommandFailure(errno: errno, "cannot read \(directory)") }
        (user, group) = (status.st_uid, status.st_gid)
    }

    /// As root, changes the owner of a file or directory; other users already own what they create.
    func give(_ path: String) throws {
        guard geteuid() != 0 || chown(path, user, group) == 0 else {
            throw CommandFailure(errno: errno, "cannot change the owner of \(path)")
        }
    }
}
