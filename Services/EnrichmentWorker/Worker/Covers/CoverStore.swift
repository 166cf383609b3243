import Foundation
import Logging
import NIOConcurrencyHelpers
import Observability
import ProviderClient
import ServiceKit
import SuiteMethods

/// Pictures on disk, with a maximum total size. The least recently used pictures are evicted first; a file's modification time is its last use. Other
/// files are ignored. Every call blocks on the disk.
final class CoverStore: Sendable {
    /// A picture could not be stored.
    struct Failure: Error, Sendable {
        /// The system's reason, for the log.
        let reason: String
    }

    /// The directory, which is created with the first picture.
    let directory: String
    private let limit: Int
    private let clock: any SuiteClock
    private let logger: Logger
    /// The size of the stored covers, once it is known. The lock is held during a write, so pictures are written one at a time.
    private let kept = NIOLockedValueBox<Count?>(nil)

    /// The size of the stored covers.
    private struct Count: Sendable {
        var bytes: Int
        /// Number of bytes that this process has written since the last count; other workers may each have written as many.
        var written = 0
    }

    /// - Parameter limit: Maximum total size in bytes; it must be at least the maximum size of one picture.
    init(directory: String, limit: Int, clock: any SuiteClock, logger: Logger) {
        self.directory = directory
        self.limit = limit
        self.clock = clock
        self.logger = logger
    }

    /// The picture with that name; nil if there is none or it is damaged.
    func find(_ name: CoverName) -> CoverFile? { CoverFile(name, in: directory, usedAt: clock.date) }

    /// Stores a picture atomically.
    ///
    /// - Returns: The opened picture, which can be read even if storing the next picture evicts it.
    /// - Throws: ``Failure``.
    func keep(_ picture: CoverPicture, as name: CoverName) throws -> CoverFile {
        try kept.withLockedValue { kept in
            var count = try kept ?? Count(bytes: opened())
            let size = picture.content.count
            if count.written > limit / 20 { count = Count(bytes: try CoverListing(directory).bytes) }
            if count.bytes + size > limit { count = Count(bytes: try evicted(leaving: max(0, limit / 10 * 9 - size))) }
            kept = count
            try CoverDraft(directory: directory, name: name).write(picture.content, usedAt: clock.date)
            kept = Count(bytes: count.bytes + size, written: count.written + size)
            guard let file = find(name) else { throw Failure(reason: "the written file is missing") }
            return file
        }
    }

    /// Creates the directory and removes abandoned drafts; returns the total size of its covers in bytes.
    private func opened() throws(Failure) -> Int {
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
        } catch {
            throw Failure(reason: "\(directory) cannot be created: \(error.localizedDescription)")
        }
        let listing = try CoverListing(directory)
        listing.removeDrafts()
        return listing.bytes
    }

    /// Removes the least recently used covers until at most `target` bytes are left, and returns the size of the others. The files are listed again
    /// each time, because other workers change their modification times. This is rare, because a tenth of the limit is freed at a time.
    private func evicted(leaving target: Int) throws(Failure) -> Int {
        let listing = try CoverListing(directory)
        var bytes = listing.bytes
        var removed = 0
        for entry in listing.leastRecentlyUsed(at: clock.date) where bytes > target {
            guard unlink("\(directory)/\(entry.name)") == 0 || errno == ENOENT else { continue }
            bytes -= entry.bytes
            removed += 1
        }
        logger.info("covers evicted", metadata: ["removed": "\(removed)", "bytes": "\(bytes)"])
        guard bytes <= target else { throw Failure(reason: "old covers cannot be removed") }
        return bytes
    }
}

/// A picture as sent by a host.
struct CoverPicture: Sendable {
    let type: PictureType
    let content: Data

    /// - Returns: nil for anything other than a picture, whatever type the host declares.
    init?(_ content: Data) {
        guard let type = PictureType(beginning: content) else { return nil }
        self.type = type
        self.content = content
    }

    /// Whether this is the one-pixel GIF that Open Library sends for missing covers. Width and height are the two words after the signature
    /// (https://www.w3.org/Graphics/GIF/spec-gif89a.txt §18).
    var isStandIn: Bool { type == .gif && content.dropFirst(6).prefix(4).elementsEqual([1, 0, 1, 0]) }
}
