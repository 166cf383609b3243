import Foundation
import ServiceKit
import SuiteMethods

/// The content of the cover directory at one point in time.
struct CoverListing {
    struct Entry {
        let name: CoverName
        let bytes: Int
        /// When the picture was last used: seconds and nanoseconds since 1970.
        let used: (Int, Int)
    }

    /// Maximum time for writing a picture, in seconds; an older draft counts as abandoned.
    private static let maxWriteSeconds = 60

    private let directory: String
    private var entries: [Entry] = []
    private var drafts: [String] = []

    init(_ directory: String) throws(CoverStore.Failure) {
        self.directory = directory
        guard let stream = opendir(directory) else {
            throw CoverStore.Failure(reason: "opendir: \(String(cString: strerror(errno)))")
        }
        defer { closedir(stream) }
        while let found = readdir(stream) {
            let name = withUnsafeBytes(of: found.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(CoverDraft.prefix) {
                drafts.append(name)
            } else if let name = CoverName(name), let entry = Self.entry(name, in: directory) {
                entries.append(entry)
            }
        }
    }

    var bytes: Int { entries.reduce(0) { $0 + $1.bytes } }

    /// The covers, least recently used first. A use in the future was recorded before the clock was set back. How long ago it was is unknown, so
    /// these covers come first; those that are still in use have been marked again (``CoverFile/isUseDue(at:)``).
    func leastRecentlyUsed(at date: Date) -> [Entry] {
        // Uses up to `usePrecision` in the future are not marked again, so they count as recent.
        let latest = date.timeIntervalSince1970 + CoverFile.usePrecision
        func rank(_ entry: Entry) -> (Int, Int, Int) {
            (TimeInterval(entry.used.0) > latest ? 0 : 1, entry.used.0, entry.used.1)
        }
        return entries.sorted { rank($0) < rank($1) }
    }

    /// Removes drafts left by processes that ended while writing; another worker may still be writing a recent draft.
    func removeDrafts() {
        for name in drafts {
            var status = stat()
            guard lstat("\(directory)/\(name)", &status) == 0, time(nil) - status.st_mtim.tv_sec > Self.maxWriteSeconds
            else { continue }
            unlink("\(directory)/\(name)")
        }
    }

    private static func entry(_ name: CoverName, in directory: String) -> Entry? {
        var status = stat()
        guard lstat("\(directory)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Entry(
            name: name, bytes: Int(status.st_size), used: (status.st_mtim.tv_sec, status.st_mtim.tv_nsec))
    }
}

/// A picture that is written under a temporary name and renamed when complete, so no reader sees a partial picture, even after a power failure
/// (rename(2)).
struct CoverDraft {
    /// Prefix of draft names.
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
