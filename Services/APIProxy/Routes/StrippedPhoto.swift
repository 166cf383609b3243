import Foundation
import ImageFiles
import NIOCore

/// A scan's photo, without its metadata. It is open, so it can be read to its end even if it is deleted in the meantime.
struct StrippedPhoto: Sendable {
    let type: ImageType
    /// Length without the metadata, in bytes.
    let length: Int
    private let file: FileHandle
    private let pieces: [ImageFilePiece]
    /// Offset at which each piece starts in the photo without its metadata.
    private let starts: [Int]

    /// Opens the photo at a path and finds its metadata; blocks on the disk.
    ///
    /// - Returns: nil if the file no longer exists or is not a readable image.
    init?(path: String) {
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else { return nil }
        let bytes = [UInt8](data)
        guard let header = try? ImageHeader(bytes), let pieces = try? ImageMetadata.removal(from: bytes) else {
            return nil
        }
        self.file = file
        self.pieces = pieces
        type = header.type
        var (starts, length) = ([Int](), 0)
        for piece in pieces {
            starts.append(length)
            length += piece.count
        }
        (self.starts, self.length) = (starts, length)
    }

    /// Reads `count` bytes, which must all exist; blocks on the disk. Calls must not overlap, because they move the file's position.
    ///
    /// - Throws: An error of `FileHandle`; `EIO` if the file has become shorter.
    func read(at offset: Int, count: Int) throws -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(count)
        var index = piece(at: offset)
        var start = offset - starts[index]
        while bytes.readableBytes < count {
            let range = start..<min(pieces[index].count, start + count - bytes.readableBytes)
            try append(range, of: pieces[index], to: &bytes)
            (index, start) = (index + 1, 0)
        }
        return bytes
    }

    /// Index of the piece that contains the byte at this offset, by binary search.
    private func piece(at offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    private func append(_ range: Range<Int>, of piece: ImageFilePiece, to bytes: inout ByteBuffer) throws {
        switch piece {
        case .kept(let kept):
            try file.seek(toOffset: UInt64(kept.lowerBound + range.lowerBound))
            guard let data = try file.read(upToCount: range.count), data.count == range.count else {
                throw POSIXError(.EIO)
            }
            bytes.writeBytes(data)
        case .written(let new): bytes.writeBytes(new[range])
        case .zeros: bytes.writeRepeatingByte(0, count: range.count)
        }
    }
}
