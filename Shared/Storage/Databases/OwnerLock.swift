import Foundation

/// Makes this process the only owner of a data directory's database (spec/05 "One process at a time owns the database").
///
/// An advisory lock on a file of its own (flock(2)); the kernel drops it when the process ends, however it ends.
package final class OwnerLock: Sendable {
    /// The lock's file in the data directory.
    package static let fileName = "jobs.lock"

    private let descriptor: Int32

    /// Why the lock was not taken.
    package enum Refusal: Error, CustomStringConvertible {
        case heldByAnother(path: String)
        case cannotOpen(path: String, reason: String)

        package var description: String {
            switch self {
            case .heldByAnother(let path): "another progress-host owns this database (\(path) is locked)"
            case .cannotOpen(let path, let reason): "cannot open \(path): \(reason)"
            }
        }
    }

    /// Takes the lock or throws `Refusal`.
    package init(path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else {
            throw Refusal.cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw Refusal.heldByAnother(path: path)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
