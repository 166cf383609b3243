package import Foundation
package import SuiteMethods

/// An open cached picture: it can be read to its end even if it is evicted in the meantime. Opening, reading and marking block on the disk.
package final class CoverFile: Sendable {
    /// Maximum size of a picture, in bytes, as for any provider response (metadata.md "Providers").
    package static let largest = 8 << 20
    /// Precision of a file's recorded last use, in seconds: not every hit is worth a write.
    package static let usePrecision: TimeInterval = 3_600

    /// The picture's type, determined from its content.
    package let type: PictureType
    /// The picture's size in bytes.
    package let bytes: Int
    /// The recorded last use: the file's modification time.
    private let lastUse: TimeInterval
    private let descriptor: CInt

    /// Opens a picture.
    ///
    /// - Returns: nil if the file does not exist or cannot be opened, or if it is not a picture of at most ``largest`` bytes.
    package init?(_ name: CoverName, in directory: String) {
        // Opening a device or a pipe of that name must not block.
        let descriptor = Foundation.open("\(directory)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (1...Self.largest).contains(Int(status.st_size)),
            let start = try? Self.read(descriptor, at: 0, upTo: PictureType.prefixLength),
            let type = PictureType(beginning: start)
        else {
            close(descriptor)
            return nil
        }
        self.type = type
        bytes = Int(status.st_size)
        self.descriptor = descriptor
        lastUse = TimeInterval(status.st_mtim.tv_sec)
    }

    /// Opens a picture, and marks it as used if this is due: the least recently used pictures are evicted first.
    ///
    /// - Parameter now: The file's new modification time if the picture is marked.
    /// - Returns: nil if ``init(_:in:)`` returns nil.
    package convenience init?(_ name: CoverName, in directory: String, usedAt now: Date) {
        self.init(name, in: directory)
        // A picture that cannot be marked is served anyway.
        if isUseDue(at: now) { _ = CoverFile.mark(descriptor, asUsedAt: now) }
    }

    deinit { close(descriptor) }

    /// Whether `date` differs from the recorded last use by more than ``usePrecision``, in either direction: the clock may have been set back.
    package func isUseDue(at date: Date) -> Bool { abs(date.timeIntervalSince1970 - lastUse) > Self.usePrecision }

    /// Reads part of the file.
    ///
    /// - Returns: Fewer bytes than requested only at the end of the file.
    /// - Throws: `POSIXError`.
    package func read(at offset: Int, upTo count: Int) throws(POSIXError) -> [UInt8] {
        try Self.read(descriptor, at: offset, upTo: min(count, max(0, bytes - offset)))
    }

    /// Marks an open file as used; returns whether this succeeded.
    package static func mark(_ descriptor: CInt, asUsedAt date: Date) -> Bool {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        return futimens(descriptor, [time, time]) == 0
    }

    private static func read(_ descriptor: CInt, at offset: Int, upTo count: Int) throws(POSIXError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let (start, wanted) = (filled, count - filled)
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: start), wanted, off_t(offset + start))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes.prefix(filled))
    }
}
