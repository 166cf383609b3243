package import Foundation
package import SuiteMethods

/// A kept picture, open: it can be read to its end even when it is evicted meanwhile. Every call blocks on the disk.
package final class CoverFile: Sendable {
    /// Largest picture, in bytes: as much as a provider's answer may have (metadata.md "Providers").
    package static let largest = 8 << 20
    /// How exactly the last use of a file is known, in seconds: hits are not worth a write each.
    private static let useNotedEvery: TimeInterval = 3_600

    /// What it is by its content.
    package let type: PictureType
    /// Its length.
    package let bytes: Int
    private let descriptor: CInt

    /// Opens a picture, and notes that it was used: what was not used for longest is evicted first.
    ///
    /// - Parameter now: The time that is noted in the file's modification time.
    /// - Returns: nil when there is none of that name, or something else than a picture.
    package init?(_ name: CoverName, in directory: String, now: Date) {
        // A device or a pipe of that name is not waited for.
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
        if now.timeIntervalSince1970 - TimeInterval(status.st_mtim.tv_sec) > Self.useNotedEvery {
            // One that cannot be marked serves all the same.
            _ = CoverFile.mark(descriptor, asUsedAt: now)
        }
    }

    deinit { close(descriptor) }

    /// Reads a part.
    ///
    /// - Returns: Fewer bytes than asked at the file's end only.
    /// - Throws: `POSIXError`.
    package func read(at offset: Int, upTo count: Int) throws(POSIXError) -> [UInt8] {
        try Self.read(descriptor, at: offset, upTo: min(count, max(0, bytes - offset)))
    }

    /// Notes in an open file when it was last used; returns whether that worked.
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
