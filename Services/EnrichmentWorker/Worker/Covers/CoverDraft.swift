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
        // Another worker may be writing the same picture.
        path = "\(directory)/\(Self.prefix)\(String(UInt32.random(in: 0 ... .max), radix: 36))-\(name)"
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
        let fault = content.withUnsafeBytes { DescriptorOutput.write($0, to: descriptor).fault }
        if let fault { throw failure("write", fault) }
    }

    private static func failure(_ call: String, _ fault: CInt = errno) -> CoverStore.Failure {
        CoverStore.Failure(reason: "\(call): \(String(cString: strerror(fault)))")
    }
}
