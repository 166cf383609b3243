import JSON
package import NIOCore

/// Splits a byte stream into frames: one line each, terminated by `\n`, at most `maximumFrameBytes` long (Services/README.md "JSON-RPC").
///
/// A state machine without I/O: add bytes in chunks of any size, then take frames until there are none. A frame is a slice of a buffer. Copy a frame
/// that is kept for a long time, because it retains the whole buffer. Empty lines are skipped, so a person using `socat` may press Return.
package struct FrameScanner: Sendable {
    /// A frame exceeds the maximum length; the stream cannot be read any further.
    package struct Oversized: Error, Equatable, Sendable {}

    /// Maximum length of a frame in bytes, without its `\n`.
    package let maximumFrameBytes: Int
    private var pending = ByteBuffer()
    /// Bytes at the start of `pending` that are known to contain no `\n`.
    private var searched = 0

    package init(maximumFrameBytes: Int) {
        self.maximumFrameBytes = maximumFrameBytes
    }

    /// Bytes waiting to be taken or completed.
    package var bufferedBytes: Int { pending.readableBytes }

    package mutating func append(_ bytes: ByteBuffer) {
        guard pending.readableBytes > 0 else {
            pending = bytes
            searched = 0
            return
        }
        pending.discardReadBytes()
        pending.writeImmutableBuffer(bytes)
    }

    /// Returns the next frame without its `\n`; nil if more bytes are needed.
    ///
    /// - Throws: ``Oversized`` as soon as a frame exceeds the maximum.
    package mutating func next() throws(Oversized) -> ByteBuffer? {
        while let length = lineLength() {
            guard length <= maximumFrameBytes else { throw Oversized() }
            searched = 0
            let line = pending.readSlice(length: length)
            pending.moveReaderIndex(forwardBy: 1)
            if let line, !Self.isBlank(line) { return line }
        }
        searched = pending.readableBytes
        guard searched <= maximumFrameBytes else { throw Oversized() }
        if searched == 0 { pending = ByteBuffer() }
        return nil
    }

    /// Number of bytes before the first `\n`; nil if there is none.
    private func lineLength() -> Int? {
        pending.withUnsafeReadableBytes { $0.firstIndex(of: UInt8(ascii: "\n"), from: searched) }
    }

    private static func isBlank(_ line: ByteBuffer) -> Bool {
        switch line.readableBytes {
        case 0: true
        case 1: line.getInteger(at: line.readerIndex) == UInt8(ascii: "\r")
        default: false
        }
    }
}
