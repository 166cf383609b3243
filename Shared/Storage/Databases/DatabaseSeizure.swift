import Foundation

/// Keeps every SQLite connection out of a database while its files are exchanged.
///
/// A write lock over the bytes that SQLite locks itself (sqlite.org/fileformat2.html#the_lock_byte_page). Every connection in WAL mode holds a
/// shared lock there for as long as it is open, so that the lock is refused while any process has the database open.
package final class DatabaseSeizure: Sendable {
    private static let firstByte: off_t = 0x4000_0000
    private static let byteCount: off_t = 512

    private let descriptor: Int32

    /// Why the database was not seized.
    package enum Refusal: Error, Equatable {
        case isOpenElsewhere(path: String)
        case cannotOpen(path: String, errno: Int32)
    }

    /// Takes the lock or throws `Refusal`. No connection of this process may be open: closing it would drop the lock (fcntl(2)).
    package init(path: String) throws {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Refusal.cannotOpen(path: path, errno: errno) }
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = Self.firstByte
        range.l_len = Self.byteCount
        guard fcntl(descriptor, F_SETLK, &range) == 0 else {
            close(descriptor)
            throw Refusal.isOpenElsewhere(path: path)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
