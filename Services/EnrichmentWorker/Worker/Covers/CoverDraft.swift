import Foundation
import ServiceKit
import SuiteMethods

/// A picture that is being written under a name of its own, and gets the real one when it is complete: no reader, and no start after a
/// loss of power, sees half a picture (rename(2)).
struct CoverDraft {
    /// What names of drafts begin with.
    static let prefix = ".draft-"

    private let path: String
    private let finalPath: String

    init(directory: String, name: CoverName) {
        path = "\(directory)/\(Self.prefix)\(name)"
        finalPath = "\(directory)/\(name)"
    }

    func write(_ content: Data, usedAt date: Date) throws(CoverStore.Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw Self.failure("open") }
        do throws(CoverStore.Failure) {
            defer { close(descriptor) }
            try Self.write(content, to: descriptor)
            guard CoverFile.mark(descriptor, asUsedAt: date) else { throw Self.failure("futimens") }
            guard fsync(descriptor) == 0 else { throw Self.failure("fsync") }
        } catch {
            unlink(path)
            throw error
        }
        guard rename(path, finalPath) == 0 else {
            let failure = Self.failure("rename")
            unlink(path)
            throw failure
        }
    }

    private static func write(_ content: Data, to descriptor: CInt) throws(CoverStore.Failure) {
        var rest = content[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure("write") }
            rest = rest.dropFirst(written)
        }
    }

    private static func failure(_ call: String) -> CoverStore.Failure {
        CoverStore.Failure(reason: "\(call): \(String(cString: strerror(errno)))")
    }
}
