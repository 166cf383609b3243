import Foundation

/// Makes this process the exclusive owner of a data directory's database (jobs.md "Durability").
///
/// The locks are advisory locks (flock(2)) on the directory and on a file in it. The kernel releases them when the process ends, however it ends. The
/// directory lock is the decisive one, because the directory cannot be removed while it contains a database. The file lock keeps out the previous
/// version of the program, which uses only that lock.
package final class OwnerLock: Sendable {
    /// Name of the lock file in the data directory.
    package static let fileName = "jobs.lock"

    private let descriptors: [Int32]

    /// Why the lock could not be taken.
    package enum Refusal: Error, CustomStringConvertible {
        case heldByAnother(path: String)
        /// The file or directory cannot be opened, or its file system cannot lock it.
        case failed(call: String, path: String, errno: Int32)

        package var description: String {
            switch self {
            case .heldByAnother(let path): "another process owns this database (\(path) is locked)"
            case .failed(let call, let path, let errno): "cannot \(call) \(path): \(String(cString: strerror(errno)))"
            }
        }

        /// The refusal for an error of flock(2).
        package init(locking path: String, errno: Int32) {
            self = errno == EWOULDBLOCK ? .heldByAnother(path: path) : .failed(call: "lock", path: path, errno: errno)
        }
    }

    /// Takes a data directory's lock, or throws `Refusal`.
    package init(directory: String) throws {
        let folder = try Self.lock(directory, O_RDONLY | O_DIRECTORY)
        do {
            descriptors = [folder, try Self.lock("\(directory)/\(Self.fileName)", O_RDWR | O_CREAT)]
        } catch {
            close(folder)
            throw error
        }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    private static func lock(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Refusal.failed(call: "open", path: path, errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let refusal = Refusal(locking: path, errno: errno)
            close(descriptor)
            throw refusal
        }
        return descriptor
    }
}

/// Keeps every SQLite connection out of a database while its files are replaced.
///
/// It is a write lock on the bytes that SQLite itself locks (sqlite.org/fileformat2.html#the_lock_byte_page). Every connection in WAL mode holds a
/// shared lock there while it is open, so the write lock is refused while any other process has the database open.
package final class DatabaseLock: Sendable {
    private static let firstByte: off_t = 0x4000_0000
    private static let byteCount: off_t = 512

    private let descriptor: Int32

    /// Why the database could not be locked.
    package enum Refusal: Error, Equatable {
        case isOpenElsewhere(path: String)
        /// The file cannot be opened, or its file system cannot lock it.
        case failed(call: String, path: String, errno: Int32)

        /// The refusal for an error of fcntl(2).
        package init(locking path: String, errno: Int32) {
            self =
                errno == EACCES || errno == EAGAIN
                ? .isOpenElsewhere(path: path) : .failed(call: "lock", path: path, errno: errno)
        }
    }

    /// Takes the lock, or throws `Refusal`. This process must not have the database open, because closing it would release the lock (fcntl(2)).
    package init(path: String) throws {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Refusal.failed(call: "open", path: path, errno: errno) }
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = Self.firstByte
        range.l_len = Self.byteCount
        guard fcntl(descriptor, F_SETLK, &range) == 0 else {
            let refusal = Refusal(locking: path, errno: errno)
            close(descriptor)
            throw refusal
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
