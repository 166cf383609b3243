import NIOCore

/// Bytes waiting for the peer, as contiguous frames.
///
/// The channel, or a thread that writes directly, takes one chunk at a time; frames queued in the meantime gather here into larger chunks. The
/// channel's own queue therefore contains at most one chunk, and `bufferedBytes` counts all bytes.
struct OutboundQueue {
    /// Why a frame was not accepted.
    enum Refusal: Error, Equatable {
        case frameTooLarge, full
    }

    /// Length in bytes at which a chunk accepts no more frames, so the channel reports progress while many bytes are waiting.
    private static let chunkBytes = 256 << 10

    private let maximumFrameBytes: Int
    private let maximumBytes: Int
    /// Full chunks, or the rest of one of which only a part was written; `last` follows them.
    private var full = CircularBuffer<ByteBuffer>()
    private var last = ByteBuffer()
    /// The chunk that is being written.
    private var chunk = ByteBuffer()
    private(set) var bufferedBytes = 0

    init(_ limits: RPCLimits) {
        maximumFrameBytes = limits.maximumFrameBytes
        maximumBytes = limits.maximumOutboundBytes
    }

    /// Adds one frame. If it is refused, the queue is unchanged.
    mutating func append(_ write: (inout ByteBuffer) -> Void) throws(Refusal) {
        let begin = last.writerIndex
        write(&last)
        let length = last.writerIndex - begin
        // The line terminator is not part of the frame.
        let isTooLarge = length - 1 > maximumFrameBytes
        guard !isTooLarge, bufferedBytes + length <= maximumBytes else {
            last.moveWriterIndex(to: begin)
            throw isTooLarge ? .frameTooLarge : .full
        }
        bufferedBytes += length
        if last.readableBytes >= Self.chunkBytes {
            full.append(last)
            last = ByteBuffer()
        }
    }

    /// Returns the next chunk to write; nil while one is being written or if nothing is waiting.
    mutating func take() -> ByteBuffer? {
        guard chunk.readableBytes == 0, bufferedBytes > 0 else { return nil }
        if let first = full.popFirst() {
            chunk = first
        } else {
            swap(&chunk, &last)
        }
        return chunk
    }

    /// Records that the chunk has been written, or only its first `length` bytes; the rest then becomes the next chunk.
    mutating func wrote(_ length: Int? = nil) {
        let length = length ?? chunk.readableBytes
        bufferedBytes -= length
        chunk.moveReaderIndex(forwardBy: length)
        if chunk.readableBytes > 0 { full.prepend(chunk) }
        chunk = ByteBuffer()
    }

    /// Drops everything except the chunk that is being written.
    mutating func clear() {
        full = []
        last = ByteBuffer()
        bufferedBytes = chunk.readableBytes
    }
}
