internal import Foundation
internal import Glibc

/// A request body in pieces, whose total length is known before the first byte is sent. Files are read while they are sent, so a long body takes
/// little memory.
package struct TransferBody: Hashable, Sendable {
    /// A source of bytes.
    package enum Source: Hashable, Sendable {
        case bytes([UInt8])
        /// A part of a file, as a range of byte offsets.
        case file(path: String, Range<Int>)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, let range): range.count
            }
        }
    }

    package enum Piece: Hashable, Sendable {
        case text(String)
        /// The sources one after another, encoded as a single base64 text (RFC 4648 §4).
        case base64([Source])

        var count: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .base64(let sources): (sources.reduce(0) { $0 + $1.count } + 2) / 3 * 4
            }
        }
    }

    /// The pieces, in sending order.
    package var pieces: [Piece]

    package init(_ pieces: [Piece]) { self.pieces = pieces }

    /// Length in bytes.
    package var count: Int { pieces.reduce(0) { $0 + $1.count } }
}

/// Reads a ``TransferBody`` from start to end, any number of times. Used on one thread at a time.
package final class TransferBodyReader {
    /// Number of bytes encoded as base64 at a time; a multiple of three, so only the last block is padded.
    private static let step = 48 << 10

    private let body: TransferBody
    /// Index of the next piece.
    private var piece = 0
    /// The sources of the current piece.
    private var sources: [TransferBody.Source] = []
    /// Index of the source that is read next, and how many of its bytes have been read.
    private var source = 0
    private var offset = 0
    /// Bytes ready to be sent, and how many of them have been sent.
    private var ready: [UInt8] = []
    private var taken = 0

    package init(_ body: TransferBody) { self.body = body }

    /// Starts again from the beginning.
    package func rewind() {
        (piece, sources, source, offset, ready, taken) = (0, [], 0, 0, [], 0)
    }

    /// Writes the next bytes and returns their number: 0 at the end, nil if a file is shorter than declared or cannot be read.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var written = 0
        while written < buffer.count {
            if taken == ready.count {
                guard let next = next() else { return nil }
                (ready, taken) = (next, 0)
                if next.isEmpty { break }
            }
            let count = min(buffer.count - written, ready.count - taken)
            ready.withUnsafeBytes { bytes in
                buffer[written..<(written + count)].copyBytes(from: bytes[taken..<(taken + count)])
            }
            written += count
            taken += count
        }
        return written
    }

    /// Returns the next bytes to send: none at the end, nil if a file cannot be read.
    private func next() -> [UInt8]? {
        while source == sources.count {
            guard piece < body.pieces.count else { return [] }
            defer { piece += 1 }
            switch body.pieces[piece] {
            case .text(let text): if !text.isEmpty { return Array(text.utf8) }
            // Sources without bytes would be taken for the end of the body.
            case .base64(let wanted): (sources, source) = (wanted.filter { $0.count > 0 }, 0)
            }
        }
        guard let bytes = read(atMost: Self.step) else { return nil }
        return Array(Data(bytes).base64EncodedData())
    }

    /// Returns bytes from the sources: as many as requested, unless the sources end; nil if a file cannot be read.
    private func read(atMost limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(limit)
        while bytes.count < limit, source < sources.count {
            let length = sources[source].count
            let count = min(limit - bytes.count, length - offset)
            switch sources[source] {
            case .bytes(let all): bytes += all[offset..<(offset + count)]
            case .file(let path, let range):
                let start = range.lowerBound + offset
                guard let part = Self.read(path, start..<(start + count)) else { return nil }
                bytes += part
            }
            offset += count
            if offset == length { (source, offset) = (source + 1, 0) }
        }
        return bytes
    }

    private static func read(_ path: String, _ range: Range<Int>) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
            while filled < range.count {
                let count = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, range.count - filled,
                    off_t(range.lowerBound + filled))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                filled += count
            }
        }
        return bytes.count == range.count ? bytes : nil
    }
}
